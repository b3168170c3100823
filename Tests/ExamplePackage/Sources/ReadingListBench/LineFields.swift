/// One line: what it is about, and its fields, taken from left to right.
struct LineFields {
  /// Counted from 1.
  let lineNumber: Int
  /// The first field: what the line is about.
  private(set) var tag = ""
  /// The remaining text, or nil after the last field.
  private var rest: Slice<UnsafeRawBufferPointer>?

  /// Starts at a line's tag.
  init(_ line: Slice<UnsafeRawBufferPointer>, lineNumber: Int) throws(MalformedLine) {
    self.lineNumber = lineNumber
    rest = line
    tag = try text()
  }

  /// Whether all fields are taken.
  var isAtEnd: Bool { rest == nil }

  /// Refuses a line that goes on.
  func end() throws(MalformedLine) {
    guard isAtEnd else { throw malformed("too many fields") }
  }

  /// A text that must be there.
  mutating func text() throws(MalformedLine) -> String {
    guard let text = try optionalText() else { throw malformed("a text is missing") }
    return text
  }

  /// A text that may be absent.
  mutating func optionalText() throws(MalformedLine) -> String? {
    let field = try field()
    guard field.contains(0x5C) else { return try validated(field) }
    return field.elementsEqual([0x5C, 0x4E]) ? nil : try validated(unescaped(field))
  }

  /// A number that must be there.
  mutating func number<Number: LosslessStringConvertible>() throws(MalformedLine) -> Number {
    guard let number: Number = try optionalNumber() else { throw malformed("a number is missing") }
    return number
  }

  /// A number that may be absent.
  mutating func optionalNumber<Number: LosslessStringConvertible>()
    throws(MalformedLine) -> Number?
  {
    guard let text = try optionalText() else { return nil }
    guard let number = Number(text) else { throw malformed("'\(text.prefix(40))' is no number") }
    return number
  }

  /// Describes the fault of the line.
  func malformed(_ reason: String) -> MalformedLine {
    MalformedLine(description: "line \(lineNumber): \(reason)")
  }

  private mutating func field() throws(MalformedLine) -> Slice<UnsafeRawBufferPointer> {
    guard let line = rest else { throw malformed("too few fields") }
    guard let tab = line.firstIndex(of: 0x09) else {
      rest = nil
      return line
    }
    rest = line[(tab + 1)...]
    return line[..<tab]
  }

  private func validated(_ bytes: some Sequence<UInt8>) throws(MalformedLine) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw malformed("bytes that are no UTF-8")
    }
    return text
  }

  private func unescaped(_ field: Slice<UnsafeRawBufferPointer>) throws(MalformedLine) -> [UInt8] {
    var (bytes, isEscaped) = ([UInt8](), false)
    for byte in field {
      switch (isEscaped, byte) {
      case (false, 0x5C): break
      case (false, _): bytes.append(byte)
      case (true, 0x5C): bytes.append(0x5C)
      case (true, 0x74): bytes.append(0x09)
      case (true, 0x6E): bytes.append(0x0A)
      case (true, _): throw malformed("an unknown escape")
      }
      isEscaped = !isEscaped && byte == 0x5C
    }
    guard !isEscaped else { throw malformed("an unfinished escape") }
    return bytes
  }
}

/// The fault of a text, and its line.
struct MalformedLine: Error, CustomStringConvertible {
  var description: String
}
