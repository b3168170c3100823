import BackendKit
import Foundation
import MenuModel

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

/// Bytes that grow at the end.
struct FlatBuffer: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 1_024) {
    self.capacity = max(capacity, 16)
    start = Self.resize(nil, to: self.capacity)
  }

  deinit { free(start) }

  /// Makes room at the end and gives its place.
  @inline(__always)
  mutating func extend(by length: Int) -> UnsafeMutableRawPointer {
    if count + length > capacity { grow(to: count + length) }
    defer { count += length }
    return start + count
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    extend(by: bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Appends bytes that are 0.
  mutating func appendZeros(_ length: Int) {
    extend(by: length).initializeMemory(as: UInt8.self, repeating: 0, count: length)
  }

  /// Hands the bytes over.
  consuming func data() -> Data {
    let (start, count) = (start, count)
    discard self
    return Data(bytesNoCopy: start, count: count, deallocator: .free)
  }

  /// Takes bytes away at the end.
  mutating func cut(to length: Int) { count = min(count, length) }

  /// Some of the bytes; valid until the buffer changes.
  @inline(__always)
  func bytes(from offset: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + offset, count: count)
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    start = Self.resize(start, to: capacity)
  }

  /// By the C library, which lets large memory grow where it is, or moves its pages and no bytes.
  private static func resize(
    _ start: UnsafeMutableRawPointer?, to capacity: Int
  ) -> UnsafeMutableRawPointer {
    guard let start = realloc(start, capacity) else {
      fatalError("no memory for \(capacity) bytes of a file")
    }
    return start
  }
}

/// The texts of a menu being encoded, each kept once: by its bytes, so that NFC and NFD forms of one
/// name are two texts.
struct FlatTexts: ~Copyable {
  private(set) var starts: FlatWriter<UInt32>
  private(set) var bytes: FlatBuffer
  private var known: FlatTable

  init(capacity: Int) {
    starts = FlatWriter(capacity: capacity)
    bytes = FlatBuffer(capacity: capacity * 24)
    known = FlatTable(capacity: capacity)
    starts.append(0)
  }

  /// The number of a text.
  @inline(__always)
  mutating func number(of text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { number(of: UnsafeRawBufferPointer($0)) }
  }

  /// The number of a text that may be absent.
  @inline(__always)
  mutating func number(of text: String?) -> UInt32 {
    guard let text else { return FlatFormat.none }
    return number(of: text)
  }

  private mutating func number(of text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = FlatHash.hash(text)
    if let number = find(text, hash) { return number }
    let number = UInt32(truncatingIfNeeded: starts.count - 1)
    bytes.append(text)
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
    known.insert(hash, number)
    return number
  }

  private func find(_ text: UnsafeRawBufferPointer, _ hash: UInt64) -> UInt32? {
    known.find(hash) { number in
      let start = Int(starts[number])
      let count = Int(starts[number + 1]) - start
      return areEqual(bytes.bytes(from: start, count: count), text)
    }
  }
}

/// Where the first record of every id stands, by a hash while a menu is encoded, sorted by id in the
/// file.
struct FlatIndexWriter {
  private var entries: [FlatIndexEntry] = []
  private var known = FlatTable()

  /// Notes a record; of several of one id the first counts.
  mutating func add(_ id: Int, _ record: Int) {
    let hash = FlatHash.hash(id)
    guard known.find(hash, { entries[Int($0)].id == id }) == nil else { return }
    known.insert(hash, UInt32(truncatingIfNeeded: entries.count))
    entries.append(FlatIndexEntry(id: id, record: UInt32(truncatingIfNeeded: record)))
  }

  /// The record of an id; ``FlatFormat/none`` where there is none.
  func record(of id: Int) -> UInt32 {
    let found = known.find(FlatHash.hash(id)) { entries[Int($0)].id == id }
    return found.map { entries[Int($0)].record } ?? FlatFormat.none
  }

  /// The index as a section. Ids that come in order already are not sorted.
  func sorted() -> FlatWriter<FlatIndexEntry> {
    var section = FlatWriter<FlatIndexEntry>(capacity: entries.count)
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.id < $1.id }
    for entry in isSorted ? entries : entries.sorted(by: { $0.id < $1.id }) {
      section.append(entry)
    }
    return section
  }
}

/// A hash table of numbers: which record or text has the content looked for. Open addressing with
/// linear probing; the caller keeps the content and compares it.
struct FlatTable {
  /// The upper half of a slot is the hash, the lower one the number and 1; 0 is empty.
  private var slots: [UInt64]
  private var used = 0

  init(capacity: Int = 64) {
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// The number kept under a hash whose content is equal; nil if there is none.
  @inline(__always)
  func find(_ hash: UInt64, _ isEqual: (UInt32) -> Bool) -> UInt32? {
    let mask = slots.count - 1
    let tag = hash >> 32
    var place = Int(tag) & mask
    while slots[place] != 0 {
      if slots[place] >> 32 == tag {
        let number = UInt32(truncatingIfNeeded: slots[place]) &- 1
        if isEqual(number) { return number }
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Keeps a number that ``find(_:_:)`` did not find.
  @inline(__always)
  mutating func insert(_ hash: UInt64, _ number: UInt32) {
    if (used + 1) * 2 > slots.count { grow() }
    Self.put((hash >> 32) << 32 | UInt64(number &+ 1), in: &slots)
    used += 1
  }

  @inline(never)
  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for slot in slots where slot != 0 { Self.put(slot, in: &larger) }
    slots = larger
  }

  @inline(__always)
  private static func put(_ slot: UInt64, in slots: inout [UInt64]) {
    let mask = slots.count - 1
    var place = Int(slot >> 32) & mask
    while slots[place] != 0 { place = (place + 1) & mask }
    slots[place] = slot
  }
}

/// XXH64 with seed 0 (Yann Collet, xxHash specification 0.1.1): four lanes of eight bytes, so that a
/// whole file is checked at the speed of memory, and any `xxhsum` can check it too.
enum FlatHash {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The hash of some bytes.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var offset = 0
    var hash = prime5
    if bytes.count >= 32 { hash = lanes(bytes, &offset) }
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash = rotated(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      hash = rotated(hash ^ UInt64(UInt32(littleEndian: half)) &* prime1, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = rotated(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
      offset += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  /// The hash of a whole number.
  static func hash(_ number: Int) -> UInt64 {
    withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).littleEndian) { hash($0) }
  }

  @inline(__always)
  private static func lanes(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64 {
    var a = prime1 &+ prime2
    var b = prime2
    var c: UInt64 = 0
    var d = 0 &- prime1
    while offset + 32 <= bytes.count {
      a = round(a, word(bytes, offset))
      b = round(b, word(bytes, offset + 8))
      c = round(c, word(bytes, offset + 16))
      d = round(d, word(bytes, offset + 24))
      offset += 32
    }
    var hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
    hash = merged(hash, a)
    hash = merged(hash, b)
    hash = merged(hash, c)
    return merged(hash, d)
  }

  @inline(__always)
  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }
}
