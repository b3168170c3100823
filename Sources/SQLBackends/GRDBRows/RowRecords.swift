import BackendKit
import GRDB
import MenuModel

/// A row as a GRDB record without `Codable`: read by the index of each column, written by its name.
/// The row's own list of fields (``FieldVisitor``) defines the columns.
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

extension RowRecord: PersistableRecord {
  static var databaseTableName: String { Fields.table.name }

  func encode(to container: inout PersistenceContainer) {
    var columns = ColumnsByName(container: container)
    var row = fields
    row.fields(&columns)
    container = columns.container
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

private struct ColumnsByName: FieldVisitor {
  typealias Failure = Never
  var container: PersistenceContainer

  @inline(__always)
  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {
    container[name] = value.persisted
  }
}

extension RecordValue where Self: DatabaseValueConvertible & StatementColumnConvertible {
  var persisted: (any DatabaseValueConvertible)? { self }
  init(record row: Row, at index: Int) throws { self = try row.decode(Self.self, atIndex: index) }
}

extension Int: RecordValue {}
extension Bool: RecordValue {}
extension Double: RecordValue {}

extension String: RecordValue {
  var persisted: (any DatabaseValueConvertible)? { stored }
  init(record row: Row, at index: Int) throws {
    self = try row.decode(String.self, atIndex: index).restored()
  }
}

extension Optional: RecordValue where Wrapped: RecordValue {
  var persisted: (any DatabaseValueConvertible)? { self?.persisted }
  init(record row: Row, at index: Int) throws {
    self = row.hasNull(atIndex: index) ? nil : try Wrapped(record: row, at: index)
  }
}
