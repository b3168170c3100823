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
