import Foundation

extension [any CodingKey] {
  /// The path as text, such as `cells[3].unit`. Empty if there are no keys.
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
  /// Describes what cannot be encoded and its place, such as `products[3].price holds inf`.
  package var briefly: String {
    guard case .invalidValue(let value, let context) = self else { return String(describing: self) }
    let place = context.codingPath.isEmpty ? "it" : context.codingPath.place
    // A value that is not a number may be the whole document, so it is not printed.
    return place + (value is any Numeric ? " holds \(value)" : " has no form in the format")
  }
}

extension DecodingError {
  /// The place of the fault in the document, such as `cells[3].unit`. Empty for the whole document.
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

  /// Describes what is wrong and its place, such as `cells[3].unit is missing`. A decoder's own
  /// message names Swift types, which mean nothing to a person who writes JSON.
  package var briefly: String {
    let place = place.isEmpty ? "it" : place
    return switch self {
    case .keyNotFound: place + " is missing"
    case .valueNotFound: place + " is null where a value is needed"
    case .typeMismatch(let type, _): place + " is not \(Self.name(of: type))"
    case .dataCorrupted(let context) where !Self.isFoundations(context):
      (self.place.isEmpty ? "" : place + ": ") + context.debugDescription
    // Foundation reports damaged JSON and a number that does not fit in the same way.
    case .dataCorrupted where self.place.isEmpty:
      "it is damaged, or holds a number that is not allowed there"
    case .dataCorrupted:
      place + " holds a number that is not allowed there: a fraction, below 0 or too large"
    @unknown default: String(describing: self)
    }
  }

  /// Whether Foundation wrote the message, not one of our own decoders.
  private static func isFoundations(_ context: Context) -> Bool {
    context.underlyingError != nil
      || ["Parsed JSON number", "Number ", "The given data was not valid JSON"].contains {
        context.debugDescription.hasPrefix($0)
      }
  }

  /// The name of a Swift type in the terms of JSON.
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
