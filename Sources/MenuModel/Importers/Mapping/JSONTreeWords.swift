import Basics

extension JSONTree {
  /// Where a value stands: `$.data.items[3].title, line 41`.
  func place(of value: Int) -> String {
    "\(path(to: value)), line \(line(of: value))"
  }

  /// The line that a value begins in, from 1.
  func line(of value: Int) -> Int {
    TextPosition(offset: bytes(of: value).lowerBound, in: text).line
  }

  /// The way to a value from the root, as JSONPath writes it (RFC 9535).
  func path(to value: Int) -> String {
    var steps: [String] = []
    var value = value
    while let parent = parent(of: value) {
      if let key = key(of: value) {
        steps.append(JSONPath.Step.name(key).description)
      } else {
        let position = Array(children(of: parent).prefix { $0 != value }).count
        steps.append(JSONPath.Step.index(position).description)
      }
      value = parent
    }
    return "$" + steps.reversed().joined()
  }

  /// What stands there, in a few words: `a text "Ham"`, `an object with sku, title`.
  func words(for value: Int) -> String {
    switch kind(value) {
    case .object:
      Self.listing("an object", children(of: value).lazy.compactMap { self.key(of: $0) })
    case .array:
      isBlank(value) ? "an empty array" : "an array"
    case .text: "a text \(Self.short(scalar(value) ?? "").debugDescription)"
    case .number: "a number \(Self.short(scalar(value) ?? ""))"
    case .truth: truth(value) == true ? "true" : "false"
    case .null: "null"
    }
  }

  private static func listing(_ what: String, _ keys: some Sequence<String>) -> String {
    let shown = Array(keys.prefix(8))
    guard !shown.isEmpty else { return "an empty object" }
    return "\(what) with " + shown.prefix(7).map { short($0) }.joined(separator: ", ")
      + (shown.count > 7 ? ", …" : "")
  }

  private static func short(_ text: String) -> String {
    text.count > 40 ? text.prefix(39) + "…" : text
  }
}
