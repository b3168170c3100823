import Foundation

/// Decodes JSON as `JSONDecoder()` does, and faster: simdjson parses the text, and a ``TapeDecoder``
/// hands out what it found.
///
/// What simdjson refuses, what its tape cannot hold or what fails to decode, `JSONDecoder` decodes
/// anew: it takes what is right after all, such as a whole number of 70 bits or UTF-16, and else its
/// error says where in the text the fault is. Three things differ from it. A key of less than 64 is
/// found by its bytes: é as one scalar is not é as two. A number too small for a double is 0, as is
/// 0e5, which Foundation refuses. Of digits that no double tells apart, 0.1000000000000000001, a
/// `Decimal` loses the last.
final class SimdjsonDecoder {
  private let foundation = JSONDecoder()
  private var parser: TapeParser?

  /// The value that the JSON holds; throws what `JSONDecoder` throws.
  func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    try decodedByTape(type, from: json) ?? foundation.decode(type, from: json)
  }

  /// The value as the tape has it; nil where `JSONDecoder` is to be asked.
  func decodedByTape<Value: Decodable>(_ type: Value.Type, from json: Data) -> Value? {
    // A decoder that a type kept, or that now calls this one, goes on reading its tape.
    if !isKnownUniquelyReferenced(&parser) { parser = TapeParser() }
    guard let parser, let tape = parser.parse(json) else { return nil }
    let value: Value? = try? TapeDecoder(tape, of: parser).value(at: Tape.top)
    return parser.isInDoubt ? nil : value
  }
}
