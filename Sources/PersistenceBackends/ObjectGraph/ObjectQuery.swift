import GRDBSQLite

/// A prepared statement with parameters, run through SQLite's C API; it doesn't own the statement.
struct ObjectQuery {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// Runs a statement that gives no rows.
  func run(_ bind: (inout RowBinder) -> Void = { _ in }) throws {
    _ = try rows(bind) { _ in }
  }

  /// Runs a SELECT and takes every row.
  func rows<Row>(
    _ bind: (inout RowBinder) -> Void = { _ in }, _ take: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    defer { sqlite3_reset(statement) }
    var binder = RowBinder(statement)
    bind(&binder)
    guard binder.code == SQLITE_OK else { throw failure(binder.code) }
    var rows: [Row] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw failure(code) }
        return rows
      }
      var reader = RowReader(statement)
      rows.append(try take(&reader))
    }
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, on: sqlite3_db_handle(statement))
  }
}
