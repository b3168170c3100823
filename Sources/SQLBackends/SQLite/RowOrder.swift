import BackendKit

/// A row of an entity that the menu lists: stored by id, shown by position.
protocol Positioned {
  /// Its position in the menu's list.
  var position: Int { get }
}

/// A row that belongs to a row of another table.
protocol ChildRow {
  /// The key of the parent.
  associatedtype Parent: Equatable
  var parent: Parent { get }
}

/// Returns the children of one parent after another. It merges two sequences in the order of the
/// parent's key, so it needs no index.
struct Children<Row: ChildRow> {
  private let rows: [Row]
  private var start = 0

  init(_ rows: [Row]) { self.rows = rows }

  /// Returns the children of the next parent, in their order.
  mutating func next(of parent: Row.Parent) -> ArraySlice<Row> {
    var end = start
    while end < rows.count, rows[end].parent == parent { end += 1 }
    defer { start = end }
    return rows[start..<end]
  }

  /// Throws if a row is left over because it has no parent or is out of order.
  func finish() throws {
    guard start == rows.count else {
      throw StoreError(
        operation: "decode", path: "rows",
        reason: "\(Row.self) of \(rows[start].parent): no such parent")
    }
  }
}

/// A value with the key of its parent and its position there.
struct Placed<Value>: ChildRow {
  var parent: Int
  var position: Int
  var value: Value
}

extension Array {
  /// Sorts the elements by parent, and by position within each parent.
  func grouped<Value>() -> [Placed<Value>] where Element == Placed<Value> {
    inOrder { ($0.parent, $0.position) < ($1.parent, $1.position) }
  }

  /// Returns the indices of the elements in ascending order of a key.
  func indices(by key: (Element) -> Int) -> [Int] {
    Array<Int>(indices).inOrder { key(self[$0]) < key(self[$1]) }
  }

  /// Sorts values by the positions of their rows.
  func arranged(by rows: [some Positioned]) -> [Element] {
    zip(rows, self).map { (position: $0.position, value: $1) }
      .inOrder { $0.position < $1.position }.map(\.value)
  }

  /// Returns itself if it is in order, as usual. That costs one comparison per element.
  private func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    for index in indices.dropFirst() where precedes(self[index], self[index - 1]) {
      return sorted(by: precedes)
    }
    return self
  }
}

/// Returns the case whose raw value is a stored text. Throws ``StoreError`` if there is none.
func value<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
  guard let value = Value(rawValue: text) else {
    throw StoreError(
      operation: "decode", path: "rows", reason: "there is no \(Value.self) called \(text)")
  }
  return value
}
