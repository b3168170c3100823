import BackendKit
import GRDB
import MenuModel

/// A row as a GRDB record without `Codable`, read by the index of each column. The row's own list of
/// fields (``FieldVisitor``) defines the columns.
struct RowRecord<Fields: TableRow> {
  var fields: Fields

  /// Selects all rows, or those that fulfil a condition, in the order of the key. GRDB caches the
  /// statement.
  static func request(
    where condition: String? = nil, _ arguments: StatementArguments = []
  ) -> SQLRequest<Self> {
    SQLRequest(
      sql: Fields.table.selection(where: condition), arguments: arguments, cached: true)
  }
}

extension RowRecord: FetchableRecord {
  init(row: Row) throws {
    var columns = ColumnsByIndex(row: row)
    fields = Fields()
    try fields.fields(&columns)
  }
}

/// A card of the first screen as a record, from the columns of ``ScreenStatements``.
struct CardRecord: FetchableRecord {
  private let card: FirstScreen.Card

  init(row: Row) throws {
    card = FirstScreen.Card(
      id: try Int(record: row, at: 0), name: try String(record: row, at: 1),
      details: try String(record: row, at: 2), price: try Int?(record: row, at: 3),
      image: try String?(record: row, at: 4))
  }

  /// Fetches the cards that a query selects. GRDB caches the statement.
  static func cards(_ db: Database, sql: String) throws -> [FirstScreen.Card] {
    try SQLRequest<Self>(sql: sql, cached: true).fetchAll(db).map(\.card)
  }
}

private struct ColumnsByIndex: FieldVisitor {
  let row: Row
  var index = 0

  @inline(__always)
  mutating func field<Value: ColumnValue>(
    _ name: String, _ value: inout Value
  ) throws(any Error) {
    value = try Value(record: row, at: index)
    index += 1
  }
}

extension Database {
  /// Inserts rows with statements that GRDB caches and whose arguments it does not check.
  func insert<Fields: TableRow>(_ rows: [Fields]) throws {
    let atOnce = Fields.table.rowsAtOnce
    let rest = rows.count - rows.count % atOnce
    try insert(rows[..<rest], by: atOnce)
    try insert(rows[rest...], by: 1)
  }

  private func insert<Fields: TableRow>(_ rows: ArraySlice<Fields>, by count: Int) throws {
    guard !rows.isEmpty else { return }
    let statement = try cachedStatement(sql: Fields.table.insertion(of: count))
    var arguments = ArgumentList()
    for first in stride(from: rows.startIndex, to: rows.endIndex, by: count) {
      arguments.values.removeAll(keepingCapacity: true)
      for var row in rows[first..<first + count] { row.fields(&arguments) }
      statement.setUncheckedArguments(StatementArguments(arguments.values))
      try statement.execute()
    }
  }
}

/// Collects the values of rows in the order of a statement's parameters.
private struct ArgumentList: ValueSink {
  var values: [DatabaseValue] = []

  mutating func put(_ number: Int) { values.append(number.databaseValue) }
  mutating func put(_ number: Double) { values.append(number.databaseValue) }
  mutating func put(_ text: String) { values.append(text.stored.databaseValue) }
  mutating func putNull() { values.append(.null) }
}

extension RecordValue where Self: DatabaseValueConvertible & StatementColumnConvertible {
  init(record row: Row, at index: Int) throws { self = try row.decode(Self.self, atIndex: index) }
}

extension Int: RecordValue {}
extension Bool: RecordValue {}
extension Double: RecordValue {}

extension String: RecordValue {
  init(record row: Row, at index: Int) throws {
    self = try row.decode(String.self, atIndex: index).restored()
  }
}

extension Optional: RecordValue where Wrapped: RecordValue {
  init(record row: Row, at index: Int) throws {
    self = row.hasNull(atIndex: index) ? nil : try Wrapped(record: row, at: index)
  }
}
