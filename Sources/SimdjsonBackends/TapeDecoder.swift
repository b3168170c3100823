import Foundation

/// Decodes `Decodable` values from a tape.
///
/// One decoder walks the whole tape. It moves to the value to decode and moves back after it, as
/// `JSONDecoder`'s own does. The values are those of `JSONDecoder`. The errors have the same kind and
/// coding path, because a type may catch them, but a shorter description.
final class TapeDecoder: Decoder {
  let tape: Tape
  /// Keeps the tape's memory alive.
  private let parser: TapeParser
  // Exclusivity checks took a tenth of the time. No access lasts across a call, so none can overlap.
  @exclusivity(unchecked) private(set) var place: Int

  init(_ tape: Tape, of parser: TapeParser, at place: Int = Tape.top) {
    self.tape = tape
    self.parser = parser
    self.place = place
  }

  var codingPath: [any CodingKey] { tape.path(to: place) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try keyed(at: place)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try unkeyed(at: place) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// Creates a decoder that stays at one value.
  func another(at place: Int) -> TapeDecoder {
    TapeDecoder(tape, of: parser, at: place)
  }

  func keyed<Key: CodingKey>(at place: Int) throws -> KeyedDecodingContainer<Key> {
    guard tape.kind(at: place) == Tape.Kind.object else {
      throw refusal(of: [String: Any].self, at: place)
    }
    return KeyedDecodingContainer(KeyedTape(object: place, decoder: self))
  }

  func unkeyed(at place: Int) throws -> any UnkeyedDecodingContainer {
    guard tape.kind(at: place) == Tape.Kind.array else { throw refusal(of: [Any].self, at: place) }
    return UnkeyedTape(array: place, decoder: self)
  }
}

extension TapeDecoder {
  func isNull(at place: Int) -> Bool {
    let kind = tape.kind(at: place)
    return kind == Tape.Kind.null || kind == Tape.Kind.root
  }

  func bool(at place: Int) throws -> Bool {
    switch tape.kind(at: place) {
    case Tape.Kind.yes: return true
    case Tape.Kind.no: return false
    // This also covers null, which for all other types is reported as a missing value.
    default: throw mismatch(Bool.self, at: place)
    }
  }

  func text(at place: Int) throws -> String {
    guard tape.kind(at: place) == Tape.Kind.text else { throw refusal(of: String.self, at: place) }
    return tape.text(at: place)
  }

  func integer<Number: FixedWidthInteger>(at place: Int) throws -> Number {
    let number: Number?
    switch tape.kind(at: place) {
    case Tape.Kind.integer: number = Number(exactly: Int64(bitPattern: tape.number(at: place)))
    case Tape.Kind.unsigned: number = Number(exactly: tape.number(at: place))
    case Tape.Kind.double:
      let double = Double(bitPattern: tape.number(at: place))
      // The text may have more digits than a double holds, and so another whole number.
      if double.magnitude >= 0x1p53 { parser.isInDoubt = true }
      number = Number(exactly: double)
    default: throw refusal(of: Number.self, at: place)
    }
    guard let number else { throw corruption("the number is not \(Number.self)", at: place) }
    return number
  }

  func double(at place: Int) throws -> Double { try double(at: place, for: Double.self) }

  private func double(at place: Int, for type: Any.Type) throws -> Double {
    switch tape.kind(at: place) {
    case Tape.Kind.double: return Double(bitPattern: tape.number(at: place))
    case Tape.Kind.integer: return Double(Int64(bitPattern: tape.number(at: place)))
    case Tape.Kind.unsigned: return Double(tape.number(at: place))
    default: throw refusal(of: type, at: place)
    }
  }

  func float(at place: Int) throws -> Float {
    let double = try double(at: place, for: Float.self)
    let float = Float(double)
    // Near a midpoint of two floats or below the normal range, the double may already be rounded.
    let isHalfway = double.bitPattern & 0x1fff_ffff == 0x1000_0000
    if double != 0, isHalfway || !float.isNormal { parser.isInDoubt = true }
    return float
  }

  func value<T: Decodable>(at place: Int) throws -> T {
    if T.self == Data.self || T.self == URL.self || T.self == Decimal.self {
      return try special(at: place)
    }
    let outer = self.place
    self.place = place
    defer { self.place = outer }
    return try T(from: self)
  }

  /// Decodes a type that `JSONDecoder` does not decode by the type's own `init(from:)`.
  ///
  /// A function of its own: otherwise every value would pay for the stack and metadata of the cast.
  @inline(never)
  private func special<T>(at place: Int) throws -> T {
    let made: Any =
      if T.self == Data.self {
        try data(at: place)
      } else if T.self == URL.self {
        try url(at: place)
      } else {
        try decimal(at: place)
      }
    guard let made = made as? T else { throw refusal(of: T.self, at: place) }
    return made
  }

  private func data(at place: Int) throws -> Data {
    guard let data = Data(base64Encoded: try text(at: place)) else {
      throw corruption("the text is not Base64", at: place)
    }
    return data
  }

  private func url(at place: Int) throws -> URL {
    guard let url = URL(string: try text(at: place)) else {
      throw corruption("the text is not a URL", at: place)
    }
    return url
  }

  private func decimal(at place: Int) throws -> Decimal {
    switch tape.kind(at: place) {
    case Tape.Kind.integer: return Decimal(Int64(bitPattern: tape.number(at: place)))
    case Tape.Kind.unsigned: return Decimal(tape.number(at: place))
    case Tape.Kind.double:
      let shortest = Double(bitPattern: tape.number(at: place)).description
      // A double keeps 15 digits exactly (DBL_DIG). Further digits are only in the text.
      if let decimal = Decimal(string: shortest), shortest.utf8.count <= 15 { return decimal }
      parser.isInDoubt = true
      throw corruption("the number is not a Decimal of 15 digits", at: place)
    default: throw refusal(of: Decimal.self, at: place)
    }
  }

  private func refusal(of type: Any.Type, at place: Int) -> DecodingError {
    guard isNull(at: place) else { return mismatch(type, at: place) }
    return .valueNotFound(type, context("the value is null, not \(type)", at: place))
  }

  private func mismatch(_ type: Any.Type, at place: Int) -> DecodingError {
    .typeMismatch(type, context("the value is not \(type)", at: place))
  }

  private func corruption(_ reason: String, at place: Int) -> DecodingError {
    .dataCorrupted(context(reason, at: place))
  }

  private func context(_ reason: String, at place: Int) -> DecodingError.Context {
    DecodingError.Context(codingPath: tape.path(to: place), debugDescription: reason)
  }
}
