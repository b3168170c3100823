/// Why a text or some counts are not a ``MenuShape``.
public enum MenuShapeError: Error, Hashable, Sendable {
  /// Neither a preset nor `key=value` pairs.
  case unknownPreset(String, choices: [String])
  /// A part that is not `key=value`.
  case notAPair(String)
  /// A key that does not exist, or that a preset fixes.
  case unknownKey(String, choices: [String])
  /// A key given twice.
  case repeatedKey(String)
  /// Counts that a shape made by hand needs.
  case missingKeys([String])
  /// A word that the key does not know.
  case unknownValue(key: String, value: String, choices: [String])
  /// Not a whole number in decimal digits.
  case notANumber(key: String, value: String)
  /// A number outside its limits, however long.
  case outOfRange(key: String, value: String, limits: ClosedRange<Int>)
  /// A seed of more than 64 bits, or below zero.
  case seedOutOfRange(String)
  /// Counts that are too many when multiplied.
  case tooManyInAll(of: String, total: Int, limit: Int)
  /// A slot's options must be different products.
  case moreOptionsThanProducts(optionsPerSlot: Int, products: Int)
}

extension MenuShapeError: CustomStringConvertible {
  /// One line, with the offending value and the valid choices.
  public var description: String {
    switch self {
    case .unknownPreset(let name, let choices):
      "unknown menu shape '\(name)': expected \(listing(choices)) or key=value pairs"
    case .notAPair(let part): "'\(part)' is not key=value"
    case .unknownKey(let key, let choices): "unknown key '\(key)': expected \(listing(choices))"
    case .repeatedKey(let key): "key '\(key)' is given twice"
    case .missingKeys(let keys): "no value for \(keys.joined(separator: ", "))"
    case .unknownValue(let key, let value, let choices):
      "\(key) cannot be '\(value)': expected \(listing(choices))"
    case .notANumber(let key, let value): "\(key) must be a whole number, not '\(value)'"
    case .outOfRange(let key, let value, let limits):
      "\(key) must be \(limits.lowerBound) to \(limits.upperBound), not \(value)"
    case .seedOutOfRange(let value): "seed must be 0 to \(UInt64.max), not \(value)"
    case .tooManyInAll(let what, let total, let limit):
      "\(total) \(what) in all are too many: at most \(limit)"
    case .moreOptionsThanProducts(let options, let products):
      "\(options) different options a slot need as many products, and there are \(products)"
    }
  }

  private func listing(_ choices: [String]) -> String {
    guard let last = choices.last, choices.count > 1 else { return choices.joined() }
    return choices.dropLast().joined(separator: ", ") + " or " + last
  }
}
