import BackendKit
import Foundation

/// Walks through the pages of an LMDB file before LMDB works with it.
///
/// LMDB trusts its file: a number damaged in a page makes it read outside its mapping and die. So a
/// page is looked at before LMDB goes there: its number and kind, the place of its entries, the order
/// of keys, the pages that values and free lists name, and that no page is used twice. Opening looks
/// at the pages that it takes itself, which are few however large the store is; all of them are looked
/// at where somebody asks (``LMDBBackend/check()``). Values are not read: damage in them shows as JSON
/// that can't be decoded, or not at all, as in any file without checksums. Nor does the check help
/// against a file that is damaged or cut while it is open.
struct LMDBFileCheck {
  private let file: LMDBFile
  private let meta: LMDBMeta
  private let extent: Extent
  private var isUsed: [Bool]

  /// How much is looked at.
  enum Extent {
    /// The way down to the first entry, the marker; of a store without entries everything, since the
    /// marker is then written.
    case opening
    /// Every page in use.
    case all
  }

  /// Checks the trees that a meta page names; throws ``LMDBFailure`` with the first damage.
  static func run(_ file: LMDBFile, _ meta: LMDBMeta, _ extent: Extent) throws {
    var check = LMDBFileCheck(file, meta, meta.main.root == -1 ? .all : extent)
    try check.take(0, 2)
    if check.extent == .all { try check.walkFree() }
    var main = LMDBTreeCheck(meta.main)
    try check.walk(&main) { check, node, _ in
      guard let overflow = node.overflow else { return 0 }
      return try check.takeRun(overflow, of: node.valueLength)
    }
  }

  private init(_ file: LMDBFile, _ meta: LMDBMeta, _ extent: Extent) {
    self.file = file
    self.meta = meta
    self.extent = extent
    isUsed = Array(repeating: false, count: meta.lastPage + 1)
  }

  private mutating func walkFree() throws {
    var free = LMDBTreeCheck(meta.free)
    try walk(&free) { check, node, page in try check.takeFree(node, page) }
  }

  /// What a walk does with an entry; gives the number of overflow pages that it takes.
  private typealias Visit = (inout LMDBFileCheck, LMDBNode, LMDBPage) throws -> Int

  private mutating func walk(_ tree: inout LMDBTreeCheck, _ visit: Visit) throws {
    if let root = try tree.root() { try walk(root, depth: 1, &tree, visit) }
    if extent == .all { try tree.finish() }
  }

  private mutating func walk(
    _ number: Int, depth: Int, _ tree: inout LMDBTreeCheck, _ visit: Visit
  ) throws {
    try take(number, 1)
    let page = LMDBPage(try file.bytes(number * meta.pageSize, meta.pageSize))
    let isBranch = try tree.enter(page, number, depth)
    for (index, node) in try nodes(of: page, isBranch).enumerated() {
      if isBranch {
        if index > 0 { try tree.separate(by: node.key) }
        if index == 0 || extent == .all {
          try walk(node.child, depth: depth + 1, &tree, visit)
        } else {
          // Else LMDB would look for the marker where nobody looked.
          guard LMDBKey.marker.lexicographicallyPrecedes(node.key) else {
            throw LMDBFailure("damaged: keys are out of order")
          }
        }
      } else {
        try tree.add(node.key)
        tree.addOverflow(try visit(&self, node, page))
      }
    }
  }

  private func nodes(of page: LMDBPage, _ isBranch: Bool) throws -> [LMDBNode] {
    let places = stride(from: LMDBPage.headerLength, to: page.lower, by: 2)
    let nodes = try places.map {
      try LMDBNode(page, at: page.uint16($0), isBranch: isBranch)
    }
    // Entries stand close together: their lengths fill what is not free.
    guard nodes.reduce(0, { $0 + $1.length }) == page.count - page.upper else {
      throw LMDBFailure("damaged: the entries of page \(page.number) do not fill it")
    }
    return nodes
  }

  /// Marks pages as used.
  private mutating func take(_ first: Int, _ count: Int) throws {
    guard first >= 0, count > 0, first <= meta.lastPage, count <= meta.lastPage + 1 - first else {
      throw LMDBFailure("damaged: page \(first) lies beyond the last page, \(meta.lastPage)")
    }
    for page in first..<(first + count) {
      guard !isUsed[page] else { throw LMDBFailure("damaged: page \(page) is used twice") }
      isUsed[page] = true
    }
  }

  /// Marks the pages of a value kept outside its leaf; gives their number, which may be more than
  /// the value needs.
  private mutating func takeRun(_ first: Int, of length: Int) throws -> Int {
    guard first > 1, first <= meta.lastPage else {
      throw LMDBFailure("damaged: page \(first) lies beyond the last page, \(meta.lastPage)")
    }
    let page = LMDBPage(try file.bytes(first * meta.pageSize, LMDBPage.headerLength))
    let needed = (LMDBPage.headerLength - 1 + length) / meta.pageSize + 1
    guard page.number == first, page.flags == 0x04, page.pages >= needed,
      (first + page.pages) * meta.pageSize <= file.length
    else { throw LMDBFailure("damaged: page \(first) does not begin a value of \(length) bytes") }
    try take(first, page.pages)
    return page.pages
  }

  /// Marks the pages of a free list: a count, then pages in falling order.
  private mutating func takeFree(_ node: LMDBNode, _ page: LMDBPage) throws -> Int {
    let taken = try node.overflow.map { try takeRun($0, of: node.valueLength) } ?? 0
    let bytes =
      try node.overflow.map {
        try file.bytes($0 * meta.pageSize + LMDBPage.headerLength, node.valueLength)
      } ?? Array(page.slice(node.valueOffset, node.valueLength))
    let list = LMDBPage(bytes)
    guard list.count >= 8, case let count = list.uint64(0), count >= 0, count < list.count / 8
    else { throw LMDBFailure("damaged: a free list of \(list.count) bytes is cut short") }
    let pages = (0..<count).map { list.uint64(8 * $0 + 8) }
    guard zip(pages, pages.dropFirst()).allSatisfy({ $0 > $1 }) else {
      throw LMDBFailure("damaged: a free list is out of order")
    }
    for page in pages { try take(page, 1) }
    return taken
  }
}

/// The data file of an LMDB store, read by system calls beside LMDB's mapping.
struct LMDBFile {
  /// An open descriptor, of the environment's own: to close another would drop its locks.
  let descriptor: Int32
  /// The file's length.
  let length: Int

  /// Takes an open file and its path.
  init(descriptor: Int32, path: String) throws {
    self.descriptor = descriptor
    length = try Self.length(of: path)
  }

  /// The length of a file, by one look at it without opening it; throws ``LMDBFailure`` with the system's
  /// reason.
  static func length(of path: String) throws -> Int {
    do {
      guard let file = try FileIdentity(of: path) else { throw LMDBFailure(code: ENOENT) }
      return file.length
    } catch let error as StoreError { throw LMDBFailure(error.reason) }
  }

  /// The meta page of the last transaction; throws where either page is none.
  func meta() throws -> LMDBMeta {
    try LMDBMeta.settled(fileLength: length) {
      let first = try LMDBMeta(try bytes(0, LMDBMeta.length), number: 0)
      return (first, try LMDBMeta(try bytes(first.pageSize, LMDBMeta.length), number: 1))
    }
  }

  /// A run of bytes; throws where the file is shorter.
  func bytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
    guard offset >= 0, count <= length, offset <= length - count else {
      throw LMDBFailure("cut short: \(length) bytes, but \(offset + count) are in use")
    }
    let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let taken = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(offset + filled))
        if taken < 0, errno == EINTR { continue }
        guard taken > 0 else { throw LMDBFailure(code: taken < 0 ? errno : EIO) }
        filled += taken
      }
    }
    return bytes
  }
}

/// How large a map is to be: address space alone, of which the file takes what is written.
enum LMDBMap {
  /// The size that a new store begins with.
  static let smallest = 16 << 20

  /// The size to open a file with.
  static func size(for fileLength: Int, atLeast smallest: Int) -> Int {
    max(smallest, 2 * fileLength).roundedUp
  }

  /// Twice the size, as far as the file could grow on the disk.
  ///
  /// - Throws: ``LMDBFailure`` where the disk has no room for more than the map already has.
  static func size(after size: Int, fileLength: Int, free: Int) throws -> Int {
    let (bound, isBeyond) = fileLength.addingReportingOverflow(free)
    let next = min(2 * size, isBeyond ? .max : bound) & ~(page - 1)
    guard next > size else {
      throw LMDBFailure("the map of \(size) bytes is full and the disk has \(free) bytes free")
    }
    return next
  }

  /// The bytes free on the disk of a folder, for who is not root.
  static func free(in folder: String) throws -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { throw LMDBFailure(code: errno) }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Sizes are multiples of the largest page that systems have.
  fileprivate static let page = 65_536
}

extension Int {
  fileprivate var roundedUp: Int { (self + LMDBMap.page - 1) & ~(LMDBMap.page - 1) }
}

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

  /// The meta page of the last transaction, of two that are looked at one after the other: where they
  /// do not belong together another process may have committed between, and they are looked at again.
  ///
  /// - Throws: ``LMDBFailure`` where they stay as they are.
  static func settled(
    fileLength: Int, _ look: () throws -> (LMDBMeta, LMDBMeta)
  ) throws -> LMDBMeta {
    var pages = try look()
    while true {
      do { return try last(pages.0, pages.1, fileLength: fileLength) } catch {
        let now = try look()
        guard now != pages else { throw error }
        pages = now
      }
    }
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

/// The bytes of a page of an LMDB file and its header, as `MDB_page` of mdb.c lays them out.
///
/// The numbers that are read must lie within: whoever asks has checked the place.
struct LMDBPage {
  /// The bytes of a header.
  static let headerLength = 16

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }
  /// Its own number.
  var number: Int { uint64(0) }
  /// What kind of page it is.
  var flags: Int { count >= Self.headerLength ? uint16(10) : 0 }
  /// The end of the nodes' places, from the page's start.
  var lower: Int { uint16(12) }
  /// The start of the nodes.
  var upper: Int { uint16(14) }
  /// The pages of an overflow run.
  var pages: Int { uint32(12) }

  /// Two bytes.
  func uint16(_ offset: Int) -> Int { Int(load(offset, as: UInt16.self)) }
  /// Four bytes.
  func uint32(_ offset: Int) -> Int { Int(load(offset, as: UInt32.self)) }
  /// Eight bytes; numbers beyond `Int.max` come out negative.
  func uint64(_ offset: Int) -> Int { Int(truncatingIfNeeded: load(offset, as: UInt64.self)) }
  /// A run of bytes.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> { bytes[offset..<(offset + count)] }

  private func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ offset: Int, as type: Number.Type
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}

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

/// What is known of a tree while its pages are walked through in the order of its keys.
struct LMDBTreeCheck {
  private let tree: LMDBTree
  private let keysAreNumbers: Bool
  private var branchPages = 0
  private var leafPages = 0
  private var overflowPages = 0
  private var entries = 0
  /// The key passed last, and whether the next may equal it, as after a branch's own copy.
  private var last: (key: [UInt8], mayRepeat: Bool)?

  init(_ tree: LMDBTree) {
    self.tree = tree
    keysAreNumbers = tree.flags == 0x08
  }

  /// The root's page; nil where the tree is empty.
  func root() throws -> Int? {
    guard tree.root != -1 else { return nil }
    guard tree.depth > 0 else { throw LMDBFailure("damaged: a tree has a root but no depth") }
    return tree.root
  }

  /// Checks a page's header; gives whether it is a branch, else it is a leaf.
  mutating func enter(_ page: LMDBPage, _ number: Int, _ depth: Int) throws -> Bool {
    let isBranch = depth < tree.depth
    let places = page.lower - LMDBPage.headerLength
    guard page.number == number, page.flags == (isBranch ? 0x01 : 0x02), places % 2 == 0,
      places >= (isBranch ? 4 : 2), page.lower <= page.upper, page.upper <= page.count
    else { throw LMDBFailure("damaged: the header of page \(number) makes no sense") }
    if isBranch { branchPages += 1 } else { leafPages += 1 }
    return isBranch
  }

  /// Passes a branch's key: what follows is not below it.
  mutating func separate(by key: ArraySlice<UInt8>) throws {
    try pass(key)
    last = (Array(key), true)
  }

  /// Passes a leaf's key.
  mutating func add(_ key: ArraySlice<UInt8>) throws {
    try pass(key)
    last = (Array(key), false)
    entries += 1
  }

  /// Counts the pages of a value kept outside.
  mutating func addOverflow(_ pages: Int) { overflowPages += pages }

  /// Throws where the tree does not have what its own counts say.
  func finish() throws {
    guard branchPages == tree.branchPages, leafPages == tree.leafPages,
      overflowPages == tree.overflowPages, entries == tree.entries
    else {
      throw LMDBFailure(
        "damaged: a tree of \(tree.entries) entries has \(entries) in \(leafPages) leaves")
    }
  }

  private func pass(_ key: ArraySlice<UInt8>) throws {
    guard !key.isEmpty, key.count <= 511, !keysAreNumbers || key.count == 8 else {
      throw LMDBFailure("damaged: a key has \(key.count) bytes")
    }
    guard let last else { return }
    let isInOrder = ordered(last.key[...], before: key) || (last.mayRepeat && last.key[...] == key)
    guard isInOrder else { throw LMDBFailure("damaged: keys are out of order") }
  }

  /// The order of the tree: as text, or as numbers in the machine's byte order.
  private func ordered(_ a: ArraySlice<UInt8>, before b: ArraySlice<UInt8>) -> Bool {
    guard keysAreNumbers else { return a.lexicographicallyPrecedes(b) }
    return LMDBPage(Array(a)).uint64(0) < LMDBPage(Array(b)).uint64(0)
  }
}
