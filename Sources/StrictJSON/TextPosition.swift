/// A place in a text file.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The character of the line, from 1.
  public var column: Int

  /// Makes a position.
  public init(line: Int, column: Int) {
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

/// Checks that bytes are UTF-8.
package enum UTF8Check {
  /// The offset of the first byte that is not UTF-8; nil where all are.
  package static func firstInvalid(_ text: [UInt8]) -> Int? {
    guard String(validating: text, as: UTF8.self) == nil else { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = text.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return offset
      }
    }
  }
}
