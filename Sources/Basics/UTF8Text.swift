extension String {
  /// Decodes UTF-8 bytes. Returns nil if they are not valid UTF-8.
  ///
  /// `String(validating:as:)` is generic and compiled once for all encodings, so it looks up its
  /// types at each call. According to `bench profile` that is half of the cost of reading a text.
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
  /// Returns the text with some scalars replaced.
  ///
  /// Use it if the result is read scalar by scalar: a quotation mark followed by an accent is one
  /// `Character`, which `replacing("\"", with:)` does not find.
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
