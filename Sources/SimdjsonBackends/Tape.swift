import CSimdjson
import Foundation

extension TapeReadable {
  /// Parses a text by simdjson and reads its value. Returns nil if `JSONDecoder` must decode it:
  /// simdjson refuses it, or its tape does not hold exactly the value's members.
  ///
  /// The parser needs fifteen times the text's bytes, so it is made for one text and freed.
  init?(simdjson text: Data) {
    // The maximum depth of nested containers is also that of `JSONDecoder`.
    guard let parser = simdjson_make(512) else { return nil }
    defer { simdjson_free(parser) }
    guard text.withUnsafeBytes({ simdjson_parse(parser, $0.baseAddress, $0.count) }) == 1,
      let words = simdjson_tape(parser), let texts = simdjson_strings(parser)
    else { return nil }
    let tape = Tape(words: words, texts: UnsafeRawPointer(texts))
    guard let value = try? Self(TapeValue(tape: tape, place: 1)) else { return nil }
    self = value
  }
}

/// A JSON text as simdjson stores it: a tape of words and a buffer of texts (simdjson, doc/tape.md).
///
/// A word's upper byte is the kind of value. The rest is the end of a container or the offset of a
/// text. A number is in a second word.
struct Tape {
  let words: UnsafePointer<UInt64>
  let texts: UnsafeRawPointer
}

/// A value on a tape, identified by the index of its first word.
struct TapeValue {
  /// The values of a word's upper byte.
  enum Kind {
    static let object = UInt8(ascii: "{")
    static let array = UInt8(ascii: "[")
    static let text = UInt8(ascii: "\"")
    static let integer = UInt8(ascii: "l")
    static let unsigned = UInt8(ascii: "u")
    static let double = UInt8(ascii: "d")
    static let yes = UInt8(ascii: "t")
    static let no = UInt8(ascii: "f")
    static let null = UInt8(ascii: "n")
  }

  let tape: Tape
  var place: Int

  var kind: UInt8 { UInt8(truncatingIfNeeded: tape.words[place] >> 56) }

  /// The bits of a number.
  var number: UInt64 { tape.words[place + 1] }

  /// The index after a container.
  var end: Int { Int(UInt32(truncatingIfNeeded: tape.words[place])) }

  /// The number of elements or members of a container, or nil from 2^24 - 1 on, the tape's maximum.
  var count: Int? {
    let count = Int(tape.words[place] >> 32 & 0xff_ffff)
    return count == 0xff_ffff ? nil : count
  }

  /// The UTF-8 of a text.
  var utf8: UnsafeRawBufferPointer {
    let text = tape.texts + Int(tape.words[place] & 0xff_ffff_ffff_ffff)
    return UnsafeRawBufferPointer(
      start: text + 4, count: Int(text.loadUnaligned(as: UInt32.self)))
  }

  /// Moves to the value behind this one.
  mutating func pass() {
    switch kind {
    case Kind.object, Kind.array: place = end
    case Kind.integer, Kind.unsigned, Kind.double: place += 2
    default: place += 1
    }
  }
}

/// A value that is not exactly as this program's `JSONEncoder` writes it.
struct TapeMismatch: Error {}

/// A type that reads itself from a tape, or leaves the whole text to `JSONDecoder` by throwing.
protocol TapeReadable {
  init(_ value: TapeValue) throws(TapeMismatch)
}

/// A type with members. Members that it does not take are a mismatch, and so is a key that occurs
/// twice, because `JSONDecoder` alone knows what they mean.
protocol TapeObject: TapeReadable {
  init(_ its: inout TapeMembers) throws(TapeMismatch)
}

extension TapeObject {
  init(_ value: TapeValue) throws(TapeMismatch) {
    var members = try TapeMembers(value)
    try self.init(&members)
    guard members.left == 0 else { throw TapeMismatch() }
  }
}

/// The members of an object, which are taken by their keys.
struct TapeMembers {
  /// The key at which the next search begins: objects of one type have their members in one order.
  private var key: TapeValue
  private let first: Int
  private let end: Int
  /// The number of members that nothing has taken.
  private(set) var left: Int

  init(_ object: TapeValue) throws(TapeMismatch) {
    guard object.kind == TapeValue.Kind.object, let count = object.count else {
      throw TapeMismatch()
    }
    key = TapeValue(tape: object.tape, place: object.place + 1)
    (first, end, left) = (key.place, object.end - 1, count)
  }

  /// Takes a required member.
  @inline(__always)
  mutating func callAsFunction<Value: TapeReadable>(
    _ name: StaticString
  ) throws(TapeMismatch) -> Value {
    guard let value = take(name) else { throw TapeMismatch() }
    return try Value(value)
  }

  /// Takes a member that may be missing or null.
  @inline(__always)
  mutating func ifPresent<Value: TapeReadable>(
    _ name: StaticString
  ) throws(TapeMismatch) -> Value? {
    guard let value = take(name), value.kind != TapeValue.Kind.null else { return nil }
    return try Value(value)
  }

  private mutating func take(_ name: StaticString) -> TapeValue? {
    guard left > 0 else { return nil }
    let start = key.place
    repeat {
      let other = key.utf8
      var value = key
      value.place += 1
      let isFound =
        other.count == name.utf8CodeUnitCount
        && memcmp(other.baseAddress.unsafelyUnwrapped, name.utf8Start, other.count) == 0
      key = value
      key.pass()
      if key.place == end { key.place = first }
      if isFound {
        left -= 1
        return value
      }
    } while key.place != start
    return nil
  }
}

extension Int: TapeReadable {
  init(_ value: TapeValue) throws(TapeMismatch) {
    guard value.kind == TapeValue.Kind.integer else { throw TapeMismatch() }
    self = Int(truncatingIfNeeded: Int64(bitPattern: value.number))
  }
}

extension Double: TapeReadable {
  /// Leaves 0 with a fraction or an exponent to `JSONDecoder`, which refuses a number too small.
  init(_ value: TapeValue) throws(TapeMismatch) {
    switch value.kind {
    case TapeValue.Kind.integer: self = Double(Int64(bitPattern: value.number))
    case TapeValue.Kind.double where value.number << 1 != 0: self.init(bitPattern: value.number)
    default: throw TapeMismatch()
    }
  }
}

extension Bool: TapeReadable {
  init(_ value: TapeValue) throws(TapeMismatch) {
    switch value.kind {
    case TapeValue.Kind.yes: self = true
    case TapeValue.Kind.no: self = false
    default: throw TapeMismatch()
    }
  }
}

extension String: TapeReadable {
  init(_ value: TapeValue) throws(TapeMismatch) {
    guard value.kind == TapeValue.Kind.text else { throw TapeMismatch() }
    self.init(decoding: value.utf8, as: UTF8.self)
  }
}

extension TapeReadable where Self: RawRepresentable<String> {
  init(_ value: TapeValue) throws(TapeMismatch) {
    guard let known = Self(rawValue: try String(value)) else { throw TapeMismatch() }
    self = known
  }
}

extension Array: TapeReadable where Element: TapeReadable {
  init(_ value: TapeValue) throws(TapeMismatch) {
    guard value.kind == TapeValue.Kind.array, let count = value.count else {
      throw TapeMismatch()
    }
    self.init()
    reserveCapacity(count)
    var element = TapeValue(tape: value.tape, place: value.place + 1)
    for _ in 0..<count {
      append(try Element(element))
      element.pass()
    }
  }
}
