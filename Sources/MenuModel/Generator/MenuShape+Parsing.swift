extension MenuShape {
  /// Reads a shape from text: a preset, a preset with changes, or all counts by hand.
  ///
  /// `large` · `large:lists=repeated,embed=yes,seed=9` ·
  /// `products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated,embed=yes`, where `slots`
  /// are those of a combo and `options` those of a slot, on average. A seed that is not given is the
  /// number of products; lists are shared and products referenced unless said otherwise.
  ///
  /// - Throws: ``MenuShapeError`` with the offending part and the valid choices.
  public init(parsing text: String) throws(MenuShapeError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let head = String(parts[0])
    if parts.count == 1, head.contains("=") {
      try self.init(counts: Pairs(head, allowed: Key.allCases))
      return
    }
    guard let preset = Preset(rawValue: head) else {
      throw .unknownPreset(head, choices: Preset.allCases.map(\.rawValue))
    }
    self.init(preset)
    if parts.count == 2 {
      self = try with(Pairs(String(parts[1]), allowed: Key.changes))
    }
  }

  private init(counts pairs: Pairs) throws(MenuShapeError) {
    let missing = Key.counts.filter { pairs[$0] == nil }
    guard missing.isEmpty else { throw .missingKeys(missing.map(\.rawValue)) }
    let byHand = try MenuShape(
      products: pairs.count(.products), combos: pairs.count(.combos),
      slotsPerCombo: pairs.count(.slots), optionsPerSlot: pairs.count(.options))
    self = try byHand.with(pairs)
  }

  private func with(_ pairs: Pairs) throws(MenuShapeError) -> MenuShape {
    with(
      lists: try pairs.choice(
        .lists, from: Lists.allCases.map { ($0.rawValue, $0) }),
      optionProducts: try pairs.choice(
        .embed, from: [("yes", OptionProducts.embedded), ("no", .referenced)]),
      seed: try pairs.seed())
  }
}

/// The `key=value` pairs of a shape's text.
private struct Pairs {
  private var values: [MenuShape.Key: String] = [:]

  init(_ text: String, allowed: [MenuShape.Key]) throws(MenuShapeError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { throw .notAPair(String(part)) }
      guard let key = MenuShape.Key(rawValue: String(sides[0])), allowed.contains(key) else {
        throw .unknownKey(String(sides[0]), choices: allowed.map(\.rawValue))
      }
      guard values.updateValue(String(sides[1]), forKey: key) == nil else {
        throw .repeatedKey(key.rawValue)
      }
    }
  }

  subscript(key: MenuShape.Key) -> String? { values[key] }

  func count(_ key: MenuShape.Key) throws(MenuShapeError) -> Int {
    let text = values[key] ?? ""
    guard text.isWholeNumber else { throw .notANumber(key: key.rawValue, value: text) }
    guard let number = Int(text), key.limits.contains(number) else {
      throw .outOfRange(key: key.rawValue, value: text, limits: key.limits)
    }
    return number
  }

  func seed() throws(MenuShapeError) -> UInt64? {
    guard let text = values[.seed] else { return nil }
    guard text.isWholeNumber else {
      throw .notANumber(key: MenuShape.Key.seed.rawValue, value: text)
    }
    guard let seed = UInt64(text) else { throw .seedOutOfRange(text) }
    return seed
  }

  func choice<Value>(
    _ key: MenuShape.Key, from choices: [(name: String, value: Value)]
  ) throws(MenuShapeError) -> Value? {
    guard let text = values[key] else { return nil }
    guard let choice = choices.first(where: { $0.name == text }) else {
      throw .unknownValue(key: key.rawValue, value: text, choices: choices.map(\.name))
    }
    return choice.value
  }
}

extension String {
  /// Whether it is decimal digits, perhaps after a minus; says nothing of its size.
  fileprivate var isWholeNumber: Bool {
    let digits = hasPrefix("-") ? dropFirst() : self[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
