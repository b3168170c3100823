import BackendKit

/// A row of an entity that the menu lists: kept by id, shown by position.
protocol Positioned {
  /// Its place in the menu's list.
  var position: Int { get }
}

/// A row that belongs to one of another table.
protocol ChildRow {
  /// What names the parent.
  associatedtype Parent: Equatable
  var parent: Parent { get }
}

/// Hands out the children of one parent after another: a merge of two sequences in the order of the
/// parent's key, so no index is needed.
struct Children<Row: ChildRow> {
  private let rows: [Row]
  private var start = 0

  init(_ rows: [Row]) { self.rows = rows }

  /// The children of the next parent, in their order.
  mutating func next(of parent: Row.Parent) -> ArraySlice<Row> {
    var end = start
    while end < rows.count, rows[end].parent == parent { end += 1 }
    defer { start = end }
    return rows[start..<end]
  }

  /// Throws where a row is left, which belongs to no parent or stands out of order.
  func finish() throws {
    guard start == rows.count else {
      throw StoreError(
        operation: "decode", path: "rows",
        reason: "\(Row.self) of \(rows[start].parent): no such parent")
    }
  }
}

/// A part of the menu on its way to the parent that it belongs to.
struct Placed<Value>: ChildRow {
  var parent: Int
  var position: Int
  var value: Value
}

extension Array {
  /// The parts of one parent after another, each parent's in their order.
  func grouped<Value>() -> [Placed<Value>] where Element == Placed<Value> {
    inOrder { ($0.parent, $0.position) < ($1.parent, $1.position) }
  }

  /// The indices of the elements by growing key.
  func indices(by key: (Element) -> Int) -> [Int] {
    Array<Int>(indices).inOrder { key(self[$0]) < key(self[$1]) }
  }

  /// The values of rows in the order of the rows' positions.
  func arranged(by rows: [some Positioned]) -> [Element] {
    zip(rows, self).map { (position: $0.position, value: $1) }
      .inOrder { $0.position < $1.position }.map(\.value)
  }

  /// Itself where it is in order, which is the usual case and costs one look at each element.
  private func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    for index in indices.dropFirst() where precedes(self[index], self[index - 1]) {
      return sorted(by: precedes)
    }
    return self
  }
}

/// The case that a stored text names; throws ``StoreError`` where there is none.
func value<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
  guard let value = Value(rawValue: text) else {
    throw StoreError(
      operation: "decode", path: "rows", reason: "there is no \(Value.self) called \(text)")
  }
  return value
}
