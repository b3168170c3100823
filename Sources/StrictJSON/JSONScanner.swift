/// Checks that bytes are JSON (RFC 8259), says where they are not, and finds numbers.
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

  package let text: [UInt8]
  let nestingLimit: Int
  var offset = 0
  var path: [JSONStep] = []
  /// The bytes of every number that is not a whole one of 64 bits.
  package var oddNumbers: [Range<Int>] = []
  /// Every key of the text, once, in the order in which they come first.
  package private(set) var keys: [String] = []
  private var seenKeys: Set<UInt64> = []
  /// The number to stop at as if it were a fault, so that ``path`` leads to it.
  var stop: Int?

  /// Prepares to scan a text.
  package init(_ text: [UInt8], nestingLimit: Int) {
    self.text = text
    self.nestingLimit = nestingLimit
  }

  /// Checks the whole text.
  package mutating func scan() throws(Fault) {
    try value()
    skipSpace()
    guard offset == text.count else { throw .unexpected(offset: offset) }
  }

  /// The path to the number at an offset, like `menu.products[3].id`; for text that was scanned.
  package func path(toNumberAt number: Int) -> String {
    var scanner = JSONScanner(text, nestingLimit: nestingLimit)
    scanner.stop = number
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
    while try !close(UInt8(ascii: "}")) {
      let start = offset
      try string()
      path[path.count - 1] = .key(start..<offset)
      note(start..<offset)
      skipSpace()
      try expect(UInt8(ascii: ":"))
      try value()
      try separator(before: UInt8(ascii: "}"))
    }
  }

  /// Keeps a key that was not there yet, told from others by its FNV-1a hash.
  private mutating func note(_ key: Range<Int>) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in key { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3 }
    guard seenKeys.insert(hash).inserted else { return }
    keys.append(String(decoding: text[key].dropFirst().dropLast(), as: UTF8.self))
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
