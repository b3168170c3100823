import Foundation

/// Checks that bytes are JSON (RFC 8259), says where they are not, and finds keys and numbers.
///
/// Foundation's decoder tells no position on Linux, calls a fraction in a whole number's place
/// "not valid JSON" without saying where, and traps when a text ends right after 513 open brackets;
/// so a file is scanned before it is decoded. Depth is bounded, so recursion is.
package struct JSONScanner {
  /// Why a text is not JSON that can be read, and at which byte.
  package enum Fault: Error, Equatable {
    /// It is JSON as far as it goes.
    case truncated
    /// This byte cannot stand there.
    case unexpected(offset: Int)
    /// This bracket opens one level too many.
    case tooDeep(offset: Int)
  }

  package struct Member: Sendable {
    /// How many objects it stands in.
    package let depth: Int
    /// The bytes of its key, with the quotes.
    package let key: Range<Int>
    package let value: Range<Int>
  }

  package let text: [UInt8]
  let nestingLimit: Int
  var offset = 0
  var path: [JSONStep] = []
  /// The bytes of every number that is not a whole one of 64 bits.
  package var oddNumbers: [Range<Int>] = []
  /// Every key of the text, once, and where it comes first.
  package private(set) var keys: [(name: String, offset: Int)] = []
  /// The first key that its object has already, with its quotes.
  package private(set) var repeatedKey: Range<Int>?
  /// The members of the outermost object, and of the objects in it, in the order in which they end.
  package private(set) var members: [Member] = []
  private var seenKeys: Set<UInt64> = []
  /// The key or number to stop at as if it were a fault, so that ``path`` leads to it.
  var stop: Int?

  package init(_ text: [UInt8], nestingLimit: Int) {
    self.text = text
    self.nestingLimit = nestingLimit
  }

  package mutating func scan() throws(Fault) {
    try value()
    skipSpace()
    guard offset == text.count else { throw .unexpected(offset: offset) }
  }

  /// The path to the key or number at an offset, like `menu.products[3].id`; for text that was
  /// scanned.
  package func path(to offset: Int) -> String {
    var scanner = JSONScanner(text, nestingLimit: nestingLimit)
    scanner.stop = offset
    try? scanner.scan()
    return scanner.path.reduce(into: "") { $0 += $1.text(in: text, isFirst: $0.isEmpty) }
  }

  private mutating func value() throws(Fault) {
    skipSpace()
    switch try peek() {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: try number()
    }
  }

  private mutating func object() throws(Fault) {
    try open(.key(0..<0))
    var own: Set<UInt64> = []
    while try !close(UInt8(ascii: "}")) {
      let start = offset
      try string()
      path[path.count - 1] = .key(start..<offset)
      if start == stop { throw .unexpected(offset: start) }
      if !own.insert(note(start..<offset)).inserted, repeatedKey == nil {
        repeatedKey = start..<offset
      }
      let key = start..<offset
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      let begin = offset
      try value()
      if path.count <= 2 {
        members.append(Member(depth: path.count, key: key, value: begin..<offset))
      }
      try separator(before: UInt8(ascii: "}"))
    }
  }

  /// Keeps a key that was not there yet, told from others by the FNV-1a hash of what it says.
  private mutating func note(_ key: Range<Int>) -> UInt64 {
    let bytes = text[key]
    // Few keys have escapes, and of others no text need be made to tell them apart.
    let isPlain = !bytes.contains(UInt8(ascii: "\\"))
    let hash = isPlain ? fnv1a(bytes.dropFirst().dropLast()) : fnv1a(Self.string(bytes).utf8)
    if seenKeys.insert(hash).inserted { keys.append((Self.string(bytes), key.lowerBound)) }
    return hash
  }

  /// What a text says, of its bytes with their quotes.
  static func string(_ bytes: ArraySlice<UInt8>) -> String {
    let plain = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "\\")) else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data(bytes))) ?? plain
  }

  private mutating func array() throws(Fault) {
    try open(.index(0))
    var index = 0
    while try !close(UInt8(ascii: "]")) {
      path[path.count - 1] = .index(index)
      try value()
      try separator(before: UInt8(ascii: "]"))
      index += 1
    }
  }

  private mutating func open(_ step: JSONStep) throws(Fault) {
    guard path.count < nestingLimit else { throw .tooDeep(offset: offset) }
    path.append(step)
    offset += 1
  }

  /// Steps over the closing bracket, if it is next.
  private mutating func close(_ bracket: UInt8) throws(Fault) -> Bool {
    skipSpace()
    guard try peek() == bracket else { return false }
    offset += 1
    path.removeLast()
    return true
  }

  /// Steps over a comma that another element must follow; leaves a closing bracket in place.
  private mutating func separator(before bracket: UInt8) throws(Fault) {
    skipSpace()
    guard try peek() != bracket else { return }
    try expect(UInt8(ascii: ","))
    skipSpace()
    guard try peek() != bracket else { throw .unexpected(offset: offset) }
  }
}

/// One step from a JSON value to a part of it.
enum JSONStep: Equatable {
  /// The key's bytes, with its quotes.
  case key(Range<Int>)
  case index(Int)

  func text(in file: [UInt8], isFirst: Bool) -> String {
    switch self {
    case .index(let index): "[\(index)]"
    case .key(let bytes):
      (isFirst ? "" : ".") + String(decoding: file[bytes].dropFirst().dropLast(), as: UTF8.self)
    }
  }
}

extension JSONScanner {
  mutating func peek() throws(Fault) -> UInt8 {
    guard offset < text.count else { throw .truncated }
    return text[offset]
  }

  mutating func expect(_ byte: UInt8) throws(Fault) {
    guard try peek() == byte else { throw .unexpected(offset: offset) }
    offset += 1
  }

  mutating func skipSpace() {
    while offset < text.count {
      switch text[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  mutating func literal(_ word: StaticString) throws(Fault) {
    for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index]) }
  }

  mutating func string() throws(Fault) {
    try expect(UInt8(ascii: "\""))
    while true {
      switch try peek() {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"):
        try escape()
      case 0..<0x20:
        throw .unexpected(offset: offset)
      default:
        offset += 1
      }
    }
  }

  private mutating func escape() throws(Fault) {
    let start = offset
    offset += 1
    let kind = try peek()
    offset += 1
    guard kind == UInt8(ascii: "u") else {
      guard #""\/bfnrt"#.utf8.contains(kind) else { throw .unexpected(offset: offset - 1) }
      return
    }
    let unit = try hexadecimal()
    if UTF16.isTrailSurrogate(unit) { throw .unexpected(offset: start) }
    guard UTF16.isLeadSurrogate(unit) else { return }
    try expect(UInt8(ascii: "\\"))
    try expect(UInt8(ascii: "u"))
    guard UTF16.isTrailSurrogate(try hexadecimal()) else { throw .unexpected(offset: start) }
  }

  private mutating func hexadecimal() throws(Fault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit = Character(Unicode.Scalar(try peek())).hexDigitValue
      guard let digit else { throw .unexpected(offset: offset) }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }

  mutating func number() throws(Fault) {
    let start = offset
    if start == stop { throw .unexpected(offset: start) }
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if skip(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      isWhole = false
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits()
    }
    if !isWhole || Int64(String(decoding: text[start..<offset], as: UTF8.self)) == nil {
      oddNumbers.append(start..<offset)
    }
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard offset < text.count, text[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// At least one digit.
  private mutating func digits() throws(Fault) {
    let start = offset
    while offset < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[offset]) {
      offset += 1
    }
    guard offset > start else {
      _ = try peek()
      throw .unexpected(offset: offset)
    }
  }
}

/// A place in a text file.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The character of the line, from 1.
  public var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of a byte of UTF-8 text; the end for an offset beyond it.
  package init(offset: Int, in text: [UInt8]) {
    let before = text.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    // A character is one byte that does not continue another: 10xxxxxx does.
    column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
  }

  /// `line 3, column 7`.
  public var description: String { "line \(line), column \(column)" }
}
