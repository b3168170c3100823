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
