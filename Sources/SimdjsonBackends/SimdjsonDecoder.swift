import Foundation

/// Decodes JSON like `JSONDecoder()`, but faster: simdjson parses the text, and a ``TapeDecoder``
/// decodes from its tape.
///
/// If simdjson refuses a text, its tape cannot represent it or decoding fails, `JSONDecoder` decodes
/// it again. That accepts valid cases, such as a whole number of 70 bits or UTF-16. Otherwise its
/// error gives the position of the fault. Three results differ. An object of fewer than 64 members
/// compares keys by bytes, so é as one scalar differs from é as two. A number too small for a double
/// is 0, as is 0e5, while Foundation refuses both. A `Decimal` loses digits beyond the precision of a
/// double, such as the last one of 0.1000000000000000001.
final class SimdjsonDecoder {
  private let foundation = JSONDecoder()
  private var parser: TapeParser?

  /// Decodes a value. Throws the errors of `JSONDecoder`.
  func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    try decodedByTape(type, from: json) ?? foundation.decode(type, from: json)
  }

  /// Decodes a value from the tape, or nil if `JSONDecoder` must decode it.
  func decodedByTape<Value: Decodable>(_ type: Value.Type, from json: Data) -> Value? {
    // Another decoder may still read the old tape: one that a type kept, or one that calls this one.
    if !isKnownUniquelyReferenced(&parser) { parser = TapeParser() }
    guard let parser, let tape = parser.parse(json) else { return nil }
    let value: Value? = try? TapeDecoder(tape, of: parser).value(at: Tape.top)
    return parser.isInDoubt ? nil : value
  }
}
