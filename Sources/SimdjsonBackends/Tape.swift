import Basics
import CSimdjson
import Foundation

/// simdjson's parser. It reuses its memory for each text.
final class TapeParser {
  /// The maximum depth of nested containers, which is also that of `JSONDecoder`.
  private static let deepest = 512

  private let parser: OpaquePointer
  /// Whether the tape does not tell how `JSONDecoder` would decode a value that was requested.
  var isInDoubt = false

  /// Returns nil if there is no memory.
  init?() {
    guard let parser = simdjson_make(Self.deepest) else { return nil }
    self.parser = parser
  }

  deinit { simdjson_free(parser) }

  /// Parses a text. The tape is valid until the next parse, or nil if no tape can represent the text.
  func parse(_ text: Data) -> Tape? {
    isInDoubt = false
    guard text.withUnsafeBytes({ simdjson_parse(parser, $0.baseAddress, $0.count) }) == 1 else {
      return nil
    }
    return Tape(words: simdjson_tape(parser), texts: UnsafeRawPointer(simdjson_strings(parser)))
  }
}

/// A JSON text as simdjson stores it: a tape of words and a buffer of texts (simdjson, doc/tape.md).
///
/// The index of a value's first word identifies it. The word's upper byte is the kind of value. The
/// rest is the end of a container or the offset of a text. A number is in a second word.
struct Tape {
  /// The values of a word's upper byte.
  enum Kind {
    static let root = UInt8(ascii: "r")
    static let object = UInt8(ascii: "{")
    static let array = UInt8(ascii: "[")
    static let arrayEnd = UInt8(ascii: "]")
    static let text = UInt8(ascii: "\"")
    static let integer = UInt8(ascii: "l")
    static let unsigned = UInt8(ascii: "u")
    static let double = UInt8(ascii: "d")
    static let yes = UInt8(ascii: "t")
    static let no = UInt8(ascii: "f")
    static let null = UInt8(ascii: "n")
  }

  /// The index of the top-level value.
  static let top = 1
  /// The index of a missing value, which is read as null.
  static let nothing = 0

  let words: UnsafePointer<UInt64>
  let texts: UnsafeRawPointer

  func kind(at place: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[place] >> 56) }

  /// The bits of the number whose first word is at an index.
  func number(at place: Int) -> UInt64 { words[place + 1] }

  /// The index after a container.
  func end(of container: Int) -> Int { Int(UInt32(truncatingIfNeeded: words[container])) }

  /// The number of elements or members of a container, or nil from 2^24 - 1 on, the tape's maximum.
  func count(of container: Int) -> Int? {
    let count = Int(words[container] >> 32 & 0xff_ffff)
    return count == 0xff_ffff ? nil : count
  }

  func place(after value: Int) -> Int {
    switch kind(at: value) {
    case Kind.object, Kind.array: end(of: value)
    case Kind.integer, Kind.unsigned, Kind.double: value + 2
    default: value + 1
    }
  }

  /// The UTF-8 of the text at an index.
  func utf8(at place: Int) -> UnsafeRawBufferPointer {
    let text = texts + Int(words[place] & 0xff_ffff_ffff_ffff)
    return UnsafeRawBufferPointer(
      start: text + 4, count: Int(text.loadUnaligned(as: UInt32.self)))
  }

  func text(at place: Int) -> String { String(decoding: utf8(at: place), as: UTF8.self) }

  /// Finds the first value with a key in an object, comparing bytes, or nil if there is none.
  func find(_ key: String, in object: Int) -> Int? {
    var key = key
    return key.withUTF8 { key in
      let end = end(of: object) - 1
      var place = object + 1
      while place < end {
        let other = utf8(at: place)
        if other.count == key.count, let start = other.baseAddress, let keyStart = key.baseAddress,
          memcmp(start, keyStart, key.count) == 0
        {
          return place + 1
        }
        place = self.place(after: place + 1)
      }
      return nil
    }
  }

  /// The indices of an object's keys and values, in the text's order.
  func members(of object: Int) -> some Sequence<(key: Int, value: Int)> {
    let end = end(of: object) - 1
    return sequence(state: object + 1) { place -> (key: Int, value: Int)? in
      guard place < end else { return nil }
      let key = place
      place = self.place(after: key + 1)
      return (key, key + 1)
    }
  }

  /// Builds the coding path of a value. It is only searched when decoding fails, so that successful
  /// decoding does not pay for it.
  func path(to value: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var place = value == Self.nothing ? value : Self.top
    while place != value {
      (place, path) = step(from: place, to: value, after: path)
    }
    return path
  }

  private func step(
    from container: Int, to value: Int, after path: [any CodingKey]
  ) -> (Int, [any CodingKey]) {
    let isObject = kind(at: container) == Kind.object
    var child = container + 1
    var index = 0
    while true {
      let key = isObject ? TapeKey(stringValue: text(at: child)) : TapeKey(intValue: index)
      if isObject { child += 1 }
      let next = place(after: child)
      if value < next { return (child, path + [key]) }
      child = next
      index += 1
    }
  }
}

/// A key with a text or an index.
struct TapeKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}
