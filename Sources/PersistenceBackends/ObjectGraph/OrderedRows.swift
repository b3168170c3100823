/// A row of a graph: an object, or a link.
protocol GraphRow: TableRow {
  /// What it is found by: an object's key, or the key of a link's source.
  var key: Int { get }
  /// Where a graph holds rows of this type.
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Self>> { get }
  /// The same row with every key mapped. What is not in the map becomes 0, which is no object's key.
  func mapped(by keys: KeyMap) -> Self
}

/// Rows of one table in the order of their keys.
///
/// They are looked for where the last ones ended, and only then by bisection: a graph that was
/// written whole is put together in one pass over each table.
struct OrderedRows<Row: GraphRow>: Sendable {
  private(set) var rows: [Row]
  private var next = 0
  private var taken = 0

  init(_ rows: [Row] = []) { self.rows = rows }

  /// The key of the next object to append.
  var nextKey: Int { rows.count + 1 }

  /// Adds a row whose key is no less than any before it.
  mutating func append(_ row: Row) { rows.append(row) }

  /// The rows of a key, which count as used from now on.
  mutating func take(_ key: Int) -> ArraySlice<Row> {
    let start = isStart(next, of: key) ? next : start(of: key)
    var end = start
    while end < rows.count, rows[end].key == key { end += 1 }
    next = end
    taken += end - start
    return rows[start..<end]
  }

  /// The first row of a key.
  func first(_ key: Int) -> Row? {
    let start = start(of: key)
    guard start < rows.count, rows[start].key == key else { return nil }
    return rows[start]
  }

  /// Throws ``StorageError`` unless every row was used, each once.
  func finish() throws {
    guard taken == rows.count else {
      throw StorageError(
        operation: "decode", path: "objects",
        reason: "\(rows.count) rows of \(Row.table.name), \(taken) of them linked to")
    }
  }

  private func isStart(_ index: Int, of key: Int) -> Bool {
    (index == rows.count || rows[index].key >= key) && (index == 0 || rows[index - 1].key < key)
  }

  private func start(of key: Int) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = low + (high - low) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension OrderedRows: Hashable {
  /// Equal rows; what of them was used doesn't matter.
  static func == (a: Self, b: Self) -> Bool { a.rows == b.rows }

  func hash(into hasher: inout Hasher) { hasher.combine(rows) }
}

extension OrderedRows {
  /// Adds the links of one source.
  mutating func append<R>(_ targets: [Int], of source: Int) where Row == Link<R> {
    for (position, target) in targets.enumerated() {
      append(Link(source: source, position: position, target: target))
    }
  }

  /// The keys of what a source links to.
  mutating func targets<R>(of source: Int) -> [Int] where Row == Link<R> {
    take(source).map(\.target)
  }

  /// An object, which counts as used from now on; throws ``StorageError`` where there is none.
  mutating func object<Object>(_ key: Int) throws -> Stored<Object> where Row == Stored<Object> {
    guard let row = take(key).first else { throw Self.missing(key) }
    return row
  }

  /// The id of an object that something refers to; throws ``StorageError`` where there is none.
  func id<Object>(of key: Key<Object>) throws -> Int where Row == Stored<Object> {
    guard let row = first(key.number) else { throw Self.missing(key.number) }
    return row.id
  }

  private static func missing(_ key: Int) -> StorageError {
    StorageError(
      operation: "decode", path: "objects",
      reason: "there is no \(Row.table.name) with the key \(key), though something links to it")
  }
}
