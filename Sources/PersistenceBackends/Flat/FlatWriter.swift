import Foundation

/// A section of a file being encoded. Lists that repeat are kept once.
struct FlatWriter<Record: FlatRecord>: ~Copyable {
  private(set) var bytes: FlatBuffer
  private(set) var count = 0
  private var lists: [FlatRange] = []
  private var known = FlatTable()

  init(capacity: Int = 64) { bytes = FlatBuffer(capacity: capacity * Record.size) }

  /// Appends a record.
  @inline(__always)
  mutating func append(_ record: Record) {
    record.store(at: bytes.extend(by: Record.size))
    count += 1
  }

  /// The record of an index that was appended.
  @inline(__always)
  subscript(index: UInt32) -> Record { Record(at: bytes.start + Int(index) * Record.size) }

  /// Where the records appended since there were `first` of them stand.
  func range(from first: Int) -> FlatRange {
    guard count > first else { return FlatRange() }
    return FlatRange(
      start: UInt32(truncatingIfNeeded: first), count: UInt32(truncatingIfNeeded: count - first))
  }

  /// Lets later lists of one record be found equal to the last record; it stays where it is.
  mutating func keepLast() {
    let last = range(from: count - 1)
    let content = content(last)
    let hash = FlatHash.hash(content)
    guard known.find(hash, { areEqual(self.content(lists[Int($0)]), content) }) == nil else {
      return
    }
    keep(last, hash)
  }

  /// Closes the list of records appended since there were `first` of them: where the same list
  /// stands already, they are taken away again.
  mutating func list(from first: Int) -> FlatRange {
    let new = range(from: first)
    guard new.count > 0 else { return new }
    let content = content(new)
    let hash = FlatHash.hash(content)
    let found = known.find(hash) { areEqual(self.content(lists[Int($0)]), content) }
    if let found {
      bytes.cut(to: first * Record.size)
      count = first
      return lists[Int(found)]
    }
    keep(new, hash)
    return new
  }

  private mutating func keep(_ list: FlatRange, _ hash: UInt64) {
    known.insert(hash, UInt32(truncatingIfNeeded: lists.count))
    lists.append(list)
  }

  private func content(_ range: FlatRange) -> UnsafeRawBufferPointer {
    bytes.bytes(from: Int(range.start) * Record.size, count: Int(range.count) * Record.size)
  }
}

/// Whether two runs of bytes are the same.
@inline(__always)
func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard let first = a.baseAddress, let second = b.baseAddress else { return true }
  return memcmp(first, second, a.count) == 0
}
