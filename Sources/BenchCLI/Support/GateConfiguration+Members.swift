import Foundation
import StrictJSON

/// A member of a JSON object, with its place: Foundation's decoder keeps neither the order nor what
/// stands there twice.
struct JSONMember {
  /// The key, unescaped.
  var key: String
  /// The byte at which the key begins.
  var offset: Int
  /// The bytes of the value.
  var value: Range<Int>
}

/// Reads the members of objects in a text that was scanned and is JSON.
struct JSONMembers {
  /// The whole text.
  let text: [UInt8]

  /// The members of the object at a place, in order; nil where something else stands there.
  func members(of value: Range<Int>) -> [JSONMember]? {
    guard first(of: value) == UInt8(ascii: "{") else { return nil }
    var members: [JSONMember] = []
    var offset = next(after: value.lowerBound)
    while offset < value.upperBound, text[offset] == UInt8(ascii: "\"") {
      let key = offset..<end(of: offset)
      let colon = skipSpace(key.upperBound)
      let start = next(after: colon)
      let end = end(of: start)
      members.append(JSONMember(key: string(key) ?? "", offset: key.lowerBound, value: start..<end))
      offset = next(after: skipSpace(end))
    }
    return members
  }

  /// The value of the whole text.
  var root: Range<Int> {
    let start = skipSpace(0)
    return start..<end(of: start)
  }

  /// The first byte of a value.
  func first(of value: Range<Int>) -> UInt8? { value.isEmpty ? nil : text[value.lowerBound] }

  /// The text of a string, unescaped; nil where something else stands there.
  func string(_ value: Range<Int>) -> String? {
    guard first(of: value) == UInt8(ascii: "\"") else { return nil }
    return try? JSONDecoder().decode(String.self, from: Data(text[value]))
  }

  /// The bytes of a value as they stand.
  func raw(_ value: Range<Int>) -> String { String(decoding: text[value], as: UTF8.self) }

  private func next(after offset: Int) -> Int { skipSpace(offset + 1) }

  private func skipSpace(_ start: Int) -> Int {
    var offset = start
    while offset < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[offset]) { offset += 1 }
    return offset
  }

  /// Where the value ends that begins at a byte.
  private func end(of start: Int) -> Int {
    var (offset, depth) = (start, 0)
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""): offset = endOfString(offset)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        (offset, depth) = (offset + 1, depth + 1)
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        (offset, depth) = (offset + 1, depth - 1)
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
        offset += 1
        continue
      default: offset = endOfWord(offset)
      }
      if depth <= 0 { return offset }
    }
    return offset
  }

  private func endOfString(_ start: Int) -> Int {
    var offset = start + 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(offset + 1, text.count)
  }

  /// The end of a number, `true`, `false` or `null`.
  private func endOfWord(_ start: Int) -> Int {
    text[start...].firstIndex { ",]} \t\n\r".utf8.contains($0) } ?? text.count
  }
}
