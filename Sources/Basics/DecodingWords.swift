import Foundation

extension [any CodingKey] {
  /// `cells[3].unit`; empty of none.
  fileprivate var place: String {
    reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

extension EncodingError {
  /// What cannot be encoded, and where: `products[3].price holds inf`.
  package var briefly: String {
    guard case .invalidValue(let value, let context) = self else { return String(describing: self) }
    let place = context.codingPath.isEmpty ? "it" : context.codingPath.place
    // Anything but a number may be the whole document.
    return place + (value is any Numeric ? " holds \(value)" : " is nothing that the format has")
  }
}

extension DecodingError {
  /// Where in the document it is wrong: `cells[3].unit`; empty of the whole.
  package var place: String {
    let keys: [any CodingKey] =
      switch self {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .valueNotFound(_, let context), .typeMismatch(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      @unknown default: []
      }
    return keys.place
  }

  /// What is wrong, and where: `cells[3].unit is missing`. In our words: a decoder's own name types of Swift, which
  /// nobody who writes JSON knows.
  package var briefly: String {
    let place = place.isEmpty ? "it" : place
    return switch self {
    case .keyNotFound: place + " is missing"
    case .valueNotFound: place + " is null where a value is needed"
    case .typeMismatch(let type, _): place + " is not \(Self.name(of: type))"
    case .dataCorrupted(let context) where !Self.isFoundations(context):
      (self.place.isEmpty ? "" : place + ": ") + context.debugDescription
    // Foundation calls what is damaged and a number that does not fit alike.
    case .dataCorrupted where self.place.isEmpty:
      "it is damaged, or holds a number that cannot stand there"
    case .dataCorrupted:
      place + " holds a number that cannot stand there: a fraction, below 0 or too large"
    @unknown default: String(describing: self)
    }
  }

  /// Whether the words are not a reader's of ours.
  private static func isFoundations(_ context: Context) -> Bool {
    context.underlyingError != nil
      || ["Parsed JSON number", "Number ", "The given data was not valid JSON"].contains {
        context.debugDescription.hasPrefix($0)
      }
  }

  /// What JSON calls a value of a type.
  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}
