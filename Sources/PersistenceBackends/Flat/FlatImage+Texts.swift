/// Where a text stands among the bytes of text.
extension FlatImage {
  /// The bytes of a text, in place; they are not known to be UTF-8.
  @inline(__always)
  func textBytes(_ number: UInt32) throws -> UnsafeRawBufferPointer {
    let ends = try textStarts.run(FlatRange(start: number, count: 2))
    guard ends[0] <= ends[1] else { throw backwards(number) }
    return try text.run(FlatRange(start: ends[0], count: ends[1] - ends[0])).bytes
  }

  /// Every text, made and checked once.
  func texts() throws -> [String] {
    let count = textStarts.count - 1
    guard count > 0 else { return [] }
    return try Array(unsafeUninitializedCapacity: count) { buffer, made in
      while made < count {
        buffer.initializeElement(at: made, to: try makeText(UInt32(made)))
        made += 1
      }
    }
  }

  /// A text of its own.
  ///
  /// - Throws: ``FlatFault`` where it is not UTF-8.
  @inline(__always)
  func makeText(_ number: UInt32) throws -> String {
    let bytes = try textBytes(number)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw noUTF8(number) }
    return text
  }

  @inline(never)
  private func noUTF8(_ number: UInt32) -> FlatFault {
    FlatFault(reason: "text \(number) is not UTF-8", offset: textStarts.offset)
  }

  @inline(never)
  private func backwards(_ number: UInt32) -> FlatFault {
    FlatFault(reason: "text \(number) ends before it begins", offset: textStarts.offset)
  }
}

extension [String] {
  /// A text by its number.
  @inline(__always)
  func text(_ number: UInt32, _ image: FlatImage) throws -> String {
    guard Int(number) < count else { throw missing(number, image) }
    return self[Int(number)]
  }

  /// A text that may be absent.
  @inline(__always)
  func optional(_ number: UInt32, _ image: FlatImage) throws -> String? {
    guard number != FlatFormat.none else { return nil }
    return try text(number, image)
  }

  @inline(never)
  private func missing(_ number: UInt32, _ image: FlatImage) -> FlatFault {
    FlatFault(
      reason: "there is no text \(number) of the \(count)", offset: image.textStarts.offset)
  }
}
