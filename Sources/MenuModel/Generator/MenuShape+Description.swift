extension MenuShape: CustomStringConvertible {
  /// The shortest text that ``init(parsing:)`` reads back as this very shape.
  ///
  /// `large`, `large:seed=9,embed=yes`, or
  /// `products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated`.
  public var description: String {
    if let preset { return describe(preset) }
    // Shapes without a preset are made by hand only, so that both divisions are exact.
    let counts = [
      "products=\(products)", "combos=\(combos)", "slots=\(slots / combos)",
      "options=\(options / slots)",
    ]
    return (counts + changes(showingSeed: true)).joined(separator: ",")
  }

  private func describe(_ preset: Preset) -> String {
    let changes = changes(showingSeed: seed != MenuShape(preset).seed)
    return changes.isEmpty
      ? preset.rawValue : "\(preset.rawValue):\(changes.joined(separator: ","))"
  }

  private func changes(showingSeed: Bool) -> [String] {
    var changes: [String] = []
    if showingSeed { changes.append("seed=\(seed)") }
    if lists == .repeated { changes.append("lists=repeated") }
    if optionProducts == .embedded { changes.append("embed=yes") }
    return changes
  }
}
