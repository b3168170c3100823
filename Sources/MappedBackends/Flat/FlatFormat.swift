import BackendKit

/// What every file of the format begins with; FORMAT.md beside this file tells it to the byte.
enum FlatFormat {
  /// `MENUFLAT`, read as a little-endian number.
  static let magic: UInt64 = 0x5441_4C46_554E_454D
  /// The version written, and the only one read.
  static let version: UInt32 = 2
  /// How many sections a file of this version has.
  static let sections = 26
  /// Where the checksum stands; it covers every byte after it.
  static let checksumOffset = 24
  /// Where the counts of the sections stand.
  static let countsOffset = 32
  /// Where the first section begins.
  static let headerLength = aligned(countsOffset + 4 * sections)
  /// Stands for an absent text, record or list.
  static let none = UInt32.max

  /// A length with the zero bytes that fill it up to a multiple of eight.
  static func aligned(_ length: Int) -> Int { (length + 7) & ~7 }
}

/// Something in a file that contradicts the format.
struct FlatFault: StoreFault {
  /// What is wrong with the offending value, and where in the file.
  let reason: String

  init(reason: String, offset: Int) { self.reason = "\(reason) (byte \(offset))" }
}

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
    let expected = withUnsafeBytes(of: FlatFormat.magic) { Array($0.prefix(length)) }
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
    let length = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
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
    Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

/// Records of one kind in a file, each looked up only within their count.
///
/// It does not hold the bytes: whoever holds it keeps the ``FlatImage`` alive.
struct FlatSection<Record: FlatRecord> {
  /// What its records are called.
  let name: StaticString
  /// Where the first record stands.
  let offset: Int
  /// How many there are.
  let count: Int
  private let start: UnsafeRawPointer

  init(name: StaticString, file: UnsafeRawPointer, offset: Int, count: Int) {
    self.name = name
    self.offset = offset
    self.count = count
    start = file + offset
  }

  /// One record.
  @inline(__always)
  func record(_ index: UInt32) throws -> Record {
    guard Int(index) < count else { throw missing(index) }
    return Record(at: start + Int(index) * Record.size)
  }

  /// Some records, checked once.
  @inline(__always)
  func run(_ range: FlatRange) throws -> FlatRun<Record> {
    guard Int(range.start) + Int(range.count) <= count else { throw missing(range) }
    return FlatRun(
      start: start + Int(range.start) * Record.size, count: Int(range.count),
      offset: offset + Int(range.start) * Record.size)
  }

  /// Every record.
  @inline(__always)
  var all: FlatRun<Record> { FlatRun(start: start, count: count, offset: offset) }

  /// What is wrong with the number of a record that there is not.
  @inline(never)
  func missing(_ index: UInt32) -> FlatFault {
    FlatFault(reason: "there is no record \(index) of the \(count) \(name)", offset: offset)
  }

  @inline(never)
  private func missing(_ range: FlatRange) -> FlatFault {
    FlatFault(
      reason: "there are no \(range.count) records from \(range.start) of the \(count) \(name)",
      offset: offset)
  }
}

/// Records that are known to be there.
struct FlatRun<Record: FlatRecord> {
  private let start: UnsafeRawPointer
  /// How many there are.
  let count: Int
  /// Where the first one stands in the file.
  let offset: Int

  fileprivate init(start: UnsafeRawPointer, count: Int, offset: Int) {
    self.start = start
    self.count = count
    self.offset = offset
  }

  /// The record of an index, which the caller takes from `0..<count`.
  @inline(__always)
  subscript(index: Int) -> Record { Record(at: start + index * Record.size) }

  /// The records' bytes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: count * Record.size)
  }

  /// Where a record stands in the file.
  func offset(of index: Int) -> Int { offset + index * Record.size }
}
