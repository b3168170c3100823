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
