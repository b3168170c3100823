import Foundation

/// One of the two pages that begin an LMDB file and say in turn which tree is the last written.
///
/// The layout is that of `MDB_page` and `MDB_meta` in LMDB 0.9's mdb.c on 64-bit machines, in the
/// machine's own byte order.
struct LMDBMeta: Hashable {
  /// The bytes that are read of a meta page.
  static let length = 152

  var pageSize: Int
  /// The tree of free pages.
  var free: LMDBTree
  /// The tree of entries.
  var main: LMDBTree
  var lastPage: Int
  var transaction: Int

  /// Reads a meta page; throws ``LMDBFailure`` where LMDB could not work with it.
  init(_ bytes: [UInt8], number: Int) throws {
    let page = LMDBPage(bytes)
    guard page.count >= Self.length, page.flags == 0x08, page.uint32(16) == 0xBEEF_C0DE else {
      throw LMDBFailure("not an LMDB file: page \(number) is no meta page")
    }
    guard page.uint32(20) == 1 else {
      throw LMDBFailure("its LMDB data version is \(page.uint32(20)), not 1")
    }
    pageSize = page.uint32(40)
    free = LMDBTree(page, at: 40)
    main = LMDBTree(page, at: 88)
    lastPage = page.uint64(136)
    transaction = page.uint64(144)
    guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1, page.uint64(24) == 0,
      free.flags == 0x08, main.flags == 0, free.depth <= 32, main.depth <= 32, transaction >= 0
    else { throw LMDBFailure("damaged: meta page \(number) makes no sense") }
  }

  /// The meta page of the last transaction, of a file's first pages.
  ///
  /// LMDB writes the two in turn, so their transactions follow each other; both are 0 at first.
  static func last(_ first: LMDBMeta, _ second: LMDBMeta, fileLength: Int) throws -> LMDBMeta {
    let isFresh = first.transaction == 0 && second.transaction == 0
    let areInTurn =
      abs(first.transaction - second.transaction) == 1 && first.transaction % 2 == 0
    guard first.pageSize == second.pageSize, isFresh || areInTurn else {
      throw LMDBFailure("damaged: the two meta pages do not belong together")
    }
    let last = first.transaction > second.transaction ? first : second
    // Pages that a transaction took and gave back may never have been written: some slack.
    guard (1...(2 * fileLength / last.pageSize + 1_024)).contains(last.lastPage) else {
      throw LMDBFailure(
        "damaged: its last page would be \(last.lastPage), but it has \(fileLength) bytes")
    }
    return last
  }
}

/// Where a tree of an LMDB file begins and what it has: `MDB_db` of mdb.c.
struct LMDBTree: Hashable {
  var flags: Int
  var depth: Int
  var branchPages: Int
  var leafPages: Int
  var overflowPages: Int
  var entries: Int
  /// The root's page; -1 where the tree is empty.
  var root: Int

  init(_ page: LMDBPage, at offset: Int) {
    flags = page.uint16(offset + 4)
    depth = page.uint16(offset + 6)
    branchPages = page.uint64(offset + 8)
    leafPages = page.uint64(offset + 16)
    overflowPages = page.uint64(offset + 24)
    entries = page.uint64(offset + 32)
    root = page.uint64(offset + 40)
  }
}
