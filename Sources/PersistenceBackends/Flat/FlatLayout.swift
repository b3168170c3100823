/// Checks a file's header and gives out its sections in order: each begins where the one before it
/// ends, filled up to eight bytes, so the counts alone say where everything stands.
struct FlatLayout {
  private let bytes: UnsafeRawBufferPointer
  private let file: UnsafeRawPointer
  private var countOffset = FlatFormat.countsOffset
  private var offset = FlatFormat.headerLength

  /// Checks the magic, the version, the length and the number of sections, in that order.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    guard let file = bytes.baseAddress, !bytes.isEmpty else {
      throw FlatFault(reason: "the file is empty", offset: 0)
    }
    self.bytes = bytes
    self.file = file
    try checkMagic()
    try checkVersion()
    try checkLength()
    guard word(12) == FlatFormat.sections else {
      throw FlatFault(
        reason: "the file has \(word(12)) sections instead of \(FlatFormat.sections)", offset: 12)
    }
  }

  /// The next section.
  mutating func next<Record: FlatRecord>(_ name: StaticString) -> FlatSection<Record> {
    let section = FlatSection<Record>(
      name: name, file: file, offset: offset, count: Int(word(countOffset)))
    offset = FlatFormat.aligned(offset + section.count * Record.size)
    countOffset += 4
    return section
  }

  /// Checks that the sections fill the file exactly; before that nothing of them may be touched.
  func finish() throws {
    guard offset == bytes.count else {
      throw FlatFault(
        reason: "the sections take \(offset) of the file's \(bytes.count) bytes",
        offset: FlatFormat.countsOffset)
    }
  }

  private func checkMagic() throws {
    let length = min(bytes.count, 8)
    let expected = withUnsafeBytes(of: FlatFormat.magic.littleEndian) { Array($0.prefix(length)) }
    guard bytes.prefix(length).elementsEqual(expected) else {
      throw FlatFault(reason: "this is no flat menu", offset: 0)
    }
  }

  private func checkVersion() throws {
    guard bytes.count >= 12 else { throw tooShort() }
    let version = UInt32(word(8))
    guard version == FlatFormat.version else {
      let known = "this program reads version \(FlatFormat.version)"
      throw FlatFault(reason: "the file is of version \(version), \(known)", offset: 8)
    }
  }

  private func checkLength() throws {
    guard bytes.count >= FlatFormat.headerLength else { throw tooShort() }
    let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    guard length == UInt64(bytes.count) else {
      throw FlatFault(
        reason: "the file has \(bytes.count) bytes, its header says \(length)", offset: 16)
    }
  }

  private func tooShort() -> FlatFault {
    FlatFault(
      reason: "the file has \(bytes.count) bytes, its header alone \(FlatFormat.headerLength)",
      offset: bytes.count)
  }

  private func word(_ offset: Int) -> Int {
    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
