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
