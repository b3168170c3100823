/// An entry of a leaf or branch page: `MDB_node` of mdb.c.
struct LMDBNode {
  /// The key's bytes; those of a branch's first entry mean nothing.
  let key: ArraySlice<UInt8>
  /// A branch's child.
  let child: Int
  /// The bytes of a leaf's value.
  let valueLength: Int
  /// The first page of a value kept outside the leaf.
  let overflow: Int?
  /// Where a value within the leaf begins.
  let valueOffset: Int
  /// The bytes it takes in its page, made even.
  let length: Int

  private static let headerLength = 8

  /// Reads the entry at an offset; throws ``LMDBFailure`` where it does not fit into the page.
  init(_ page: LMDBPage, at offset: Int, isBranch: Bool) throws {
    guard offset >= page.upper, offset + Self.headerLength <= page.count else {
      throw Self.damage(page)
    }
    let size = page.uint32(offset)
    let flags = page.uint16(offset + 4)
    let keyLength = page.uint16(offset + 6)
    let isBig = !isBranch && flags == 0x01
    let kept = isBranch ? 0 : isBig ? 8 : size
    let end = offset + Self.headerLength + keyLength + kept
    guard isBranch || flags & 0x02 == 0 else {
      throw LMDBFailure("not a menu store: page \(page.number) names a database of its own")
    }
    guard end <= page.count, isBranch || flags & ~0x01 == 0 else { throw Self.damage(page) }
    valueOffset = offset + Self.headerLength + keyLength
    key = page.slice(offset + Self.headerLength, keyLength)
    child = size | (isBranch ? flags << 32 : 0)
    valueLength = isBranch ? 0 : size
    overflow = isBig ? page.uint64(valueOffset) : nil
    length = (end - offset + 1) & ~1
  }

  private static func damage(_ page: LMDBPage) -> LMDBFailure {
    LMDBFailure("damaged: an entry of page \(page.number) does not fit into it")
  }
}
