import Foundation

/// Checks that bytes are JSON (RFC 8259) that every reader understands alike, locates faults, and
/// finds keys and numbers. A file is scanned before it is decoded, for four reasons.
///
/// On Linux Foundation's decoder reports no position. It accepts a duplicate key and uses either value.
/// It calls a fraction in place of an integer "not valid JSON", without a position. It traps if a text
/// ends right after 513 open brackets. The scanner limits the depth, so its recursion is bounded.
package struct JSONScanner {
  /// A key, or a number that is not a 64-bit integer.
  package struct Part {
    package let isKey: Bool
    /// The unescaped key, or the number as written.
    package let text: String
    package let offset: Int
    fileprivate let steps: [Step]

    package var isTopLevel: Bool { steps.count == 1 }

    /// The keys of the enclosing objects, outermost first. A key includes itself, last.
    package var keys: [String] {
      steps.compactMap { step in
        if case .key(let key) = step { key } else { nil }
      }
    }

    /// The path in the document, such as `menu.products[3].id`.
    package var path: String {
      steps.reduce(into: "") { path, step in
        switch step {
        case .index(let index): path += "[\(index)]"
        case .key(let key): path += (path.isEmpty ? "" : ".") + key
        }
      }
    }
  }

  fileprivate enum Step {
    case key(String)
    case index(Int)
  }

  /// The deepest nesting that is accepted. Foundation has the same limit.
  private static let nestingLimit = 512
  /// The most keys of an object. They are held in memory, where each takes many times its bytes.
  private static let keyLimit = 100_000

  private let text: [UInt8]
  private let see: (Part) -> Void
  private var offset = 0
  private var path: [Step] = []

  /// Scans a text and passes its parts to `see` in order.
  ///
  /// - Throws: the first fault, in words that follow the text's name.
  package static func scan(
    _ text: [UInt8], see: @escaping (Part) -> Void = { _ in }
  ) throws(Refusal) {
    var scanner = JSONScanner(text: text, see: see)
    try scanner.value()
    scanner.skipSpace()
    guard scanner.offset == text.count else { throw scanner.unexpected() }
  }

  private init(text: [UInt8], see: @escaping (Part) -> Void) {
    self.text = text
    self.see = see
  }

  /// Returns `line 3, column 7`. Both count from 1, and columns count characters.
  package static func position(of offset: Int, in text: [UInt8]) -> String {
    let before = text.prefix(offset)
    let newline = UInt8(ascii: "\n")
    let line = before.reversed().prefix { $0 != newline }
    // A UTF-8 continuation byte (10xxxxxx) does not begin a character.
    let column = line.count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
    return "line \(before.count { $0 == newline } + 1), column \(column)"
  }

  private mutating func value() throws(Refusal) {
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

  private mutating func object() throws(Refusal) {
    try open()
    var own: Set<String> = []
    while try next(isFirst: own.isEmpty, before: UInt8(ascii: "}")) {
      guard own.count < Self.keyLimit else {
        throw Refusal("an object has more than \(Self.keyLimit) keys at \(position(offset))")
      }
      let start = offset
      try string()
      let key = said(start..<offset)
      path[path.count - 1] = .key(key)
      guard own.insert(key).inserted else {
        throw Refusal(
          "the key \(String(key.prefix(40)).debugDescription) at \(position(start)) occurs twice "
            + "in one object", help: "remove one of the two: nothing says which one counts")
      }
      see(Part(isKey: true, text: key, offset: start, steps: path))
      skipSpace()
      try expect(UInt8(ascii: ":"))
      try value()
    }
  }

  private mutating func array() throws(Refusal) {
    try open()
    var index = 0
    while try next(isFirst: index == 0, before: UInt8(ascii: "]")) {
      path[path.count - 1] = .index(index)
      try value()
      index += 1
    }
  }

  private mutating func open() throws(Refusal) {
    guard path.count < Self.nestingLimit else {
      throw Refusal("it is nested too deeply at \(position(offset))")
    }
    path.append(.index(0))
    offset += 1
  }

  /// Moves to the next element, past a comma. Returns false at the closing bracket.
  private mutating func next(isFirst: Bool, before bracket: UInt8) throws(Refusal) -> Bool {
    skipSpace()
    guard try peek() != bracket else {
      offset += 1
      path.removeLast()
      return false
    }
    if isFirst { return true }
    try expect(UInt8(ascii: ","))
    skipSpace()
    guard try peek() != bracket else { throw unexpected() }
    return true
  }
}

extension JSONScanner {
  private func position(_ offset: Int) -> String { Self.position(of: offset, in: text) }

  private func peek() throws(Refusal) -> UInt8 {
    guard offset < text.count else {
      throw Refusal(
        text.isEmpty ? "it is empty" : "it ends too soon and was cut short",
        help: "fetch or copy the file again")
    }
    return text[offset]
  }

  /// Returns the error for a byte that cannot stand at `place`, or at the current offset.
  private func unexpected(at place: Int? = nil) -> Refusal {
    let place = place ?? offset
    // UTF-8 has no bytes from 0xF5 up. UTF-16 with a byte order mark begins with one.
    return text[place] < 0xF5 ? Refusal("it is not JSON at \(position(place))") : notUTF8(place)
  }

  private func notUTF8(_ place: Int) -> Refusal {
    Refusal("it is not UTF-8 at \(position(place))", help: "save the file as UTF-8")
  }

  private mutating func expect(_ byte: UInt8) throws(Refusal) {
    guard try peek() == byte else { throw unexpected() }
    offset += 1
  }

  private mutating func skipSpace() {
    while offset < text.count {
      switch text[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  private mutating func literal(_ word: String) throws(Refusal) {
    for byte in word.utf8 { try expect(byte) }
  }

  private mutating func string() throws(Refusal) {
    let start = offset
    try expect(UInt8(ascii: "\""))
    var isASCII = true
    while try peek() != UInt8(ascii: "\"") {
      switch text[offset] {
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw unexpected()
      case let byte:
        isASCII = isASCII && byte < 0x80
        offset += 1
      }
    }
    offset += 1
    let bytes = text[start..<offset]
    guard isASCII || String(validating: bytes, as: UTF8.self) != nil else {
      let repaired = String(decoding: bytes, as: UTF8.self).utf8
      throw notUTF8(start + zip(bytes, repaired).prefix { $0 == $1 }.count)
    }
  }

  /// Decodes a string from its bytes, which include the quotes.
  private func said(_ quoted: Range<Int>) -> String {
    let bytes = text[quoted]
    let plain = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "\\")) else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data(bytes))) ?? plain
  }

  private mutating func escape() throws(Refusal) {
    let start = offset
    offset += 1
    let kind = try peek()
    guard #""\/bfnrtu"#.utf8.contains(kind) else { throw unexpected() }
    offset += 1
    guard kind == UInt8(ascii: "u") else { return }
    let unit = try hexadecimal()
    if UTF16.isTrailSurrogate(unit) { throw unexpected(at: start) }
    guard UTF16.isLeadSurrogate(unit) else { return }
    try literal("\\u")
    guard UTF16.isTrailSurrogate(try hexadecimal()) else { throw unexpected(at: start) }
  }

  private mutating func hexadecimal() throws(Refusal) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit = Character(Unicode.Scalar(try peek())).hexDigitValue
      guard let digit else { throw unexpected() }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }

  private mutating func number() throws(Refusal) {
    let start = offset
    skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("eE") {
      skip("+-")
      try digits()
    }
    let number = String(decoding: text[start..<offset], as: UTF8.self)
    guard Int64(number) == nil else { return }
    see(Part(isKey: false, text: number, offset: start, steps: path))
  }

  /// Skips the next byte if it is one of these characters.
  @discardableResult
  private mutating func skip(_ characters: String) -> Bool {
    guard offset < text.count, characters.utf8.contains(text[offset]) else { return false }
    offset += 1
    return true
  }

  /// Skips digits, at least one.
  private mutating func digits() throws(Refusal) {
    let start = offset
    while offset < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[offset]) {
      offset += 1
    }
    guard offset > start else {
      _ = try peek()
      throw unexpected()
    }
  }
}
