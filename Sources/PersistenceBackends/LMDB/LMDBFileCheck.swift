import Foundation

/// Walks through the pages of an LMDB file before LMDB works with it.
///
/// LMDB trusts its file: a number damaged in a page makes it read outside its mapping and die. So
/// every page that is in use is looked at once when a store is opened: its number and kind, the
/// place of its entries, the order of keys, the pages that values and free lists name, and that no
/// page is used twice. Values are not read: damage in them shows as JSON that can't be decoded, or
/// not at all, as in any file without checksums. Nor does the check help against a file that is
/// damaged or cut while it is open.
struct LMDBFileCheck {
  private let file: LMDBFile
  private let meta: LMDBMeta
  private var isUsed: [Bool]

  /// Checks the trees that a meta page names; throws ``LMDBFailure`` with the first damage.
  static func run(_ file: LMDBFile, _ meta: LMDBMeta) throws {
    var check = LMDBFileCheck(file, meta)
    try check.take(0, 2)
    var free = LMDBTreeCheck(meta.free)
    try check.walk(&free) { check, node, page in
      try check.takeFree(node, page)
    }
    var main = LMDBTreeCheck(meta.main)
    try check.walk(&main) { check, node, _ in
      guard let overflow = node.overflow else { return 0 }
      return try check.takeRun(overflow, of: node.valueLength)
    }
  }

  private init(_ file: LMDBFile, _ meta: LMDBMeta) {
    self.file = file
    self.meta = meta
    isUsed = Array(repeating: false, count: meta.lastPage + 1)
  }

  /// What a walk does with an entry; gives the number of overflow pages that it takes.
  private typealias Visit = (inout LMDBFileCheck, LMDBNode, LMDBPage) throws -> Int

  private mutating func walk(_ tree: inout LMDBTreeCheck, _ visit: Visit) throws {
    if let root = try tree.root() { try walk(root, depth: 1, &tree, visit) }
    try tree.finish()
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
        try walk(node.child, depth: depth + 1, &tree, visit)
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
