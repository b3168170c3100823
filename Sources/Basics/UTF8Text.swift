extension String {
  /// The text that bytes hold; nil where they are not UTF-8.
  ///
  /// `String(validating:as:)` is generic and compiled once for all encodings: it looks its types up
  /// at each call, which `bench profile` found to be half of what a text of `flat` costs.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    if #available(macOS 26, *) {
      guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
      self = String(copying: text)
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = text
    }
  }

  /// The text that bytes hold; nil where they are not UTF-8.
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    self.init(utf8: bytes.assumingMemoryBound(to: UInt8.self))
  }
}
