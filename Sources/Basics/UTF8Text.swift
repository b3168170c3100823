extension String {
  /// The text that bytes hold; nil where they are not UTF-8.
  ///
  /// `String(validating:as:)` is generic and compiled once for all encodings: it looks its types up
  /// at each call, which `bench profile` found to be half of what reading a text costs.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    if #available(macOS 26, *) {
      guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
      self = String(copying: text)
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = text
    }
  }
}

extension String {
  /// The text with some scalars replaced.
  ///
  /// For whatever is read scalar by scalar: a quotation mark and an accent behind it are one `Character`, so that
  /// `replacing("\"", with:)` passes it by.
  package func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { result, scalar in
      if let text = replacements[scalar] {
        result += text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}

package enum UTF8Check {
  /// The offset of the first byte that is not UTF-8; nil where all are.
  package static func firstInvalid(_ text: [UInt8]) -> Int? {
    guard text.withUnsafeBufferPointer({ String(utf8: $0) }) == nil else { return nil }
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

  /// Whether bytes are the beginning of a letter whose rest is missing, as where a file was cut.
  package static func isCutLetter(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let lead = bytes.first, bytes.dropFirst().allSatisfy({ $0 & 0b1100_0000 == 0b1000_0000 })
    else { return false }
    let length =
      switch lead {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    return bytes.count < length
  }
}
