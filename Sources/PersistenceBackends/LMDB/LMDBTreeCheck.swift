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
