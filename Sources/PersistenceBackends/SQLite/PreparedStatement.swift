import GRDBSQLite

/// A statement prepared by GRDB or by the C API, run through the C API either way.
///
/// It doesn't own the statement: whoever prepared it finalises it.
struct PreparedStatement {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// Runs a statement that has no parameters and gives no rows.
  func run() throws {
    defer { sqlite3_reset(statement) }
    try finish(sqlite3_step(statement))
  }

  /// Runs an INSERT once a row.
  func insert<Row: TableRow>(_ rows: [Row]) throws {
    defer { sqlite3_reset(statement) }
    for row in rows {
      var binder = RowBinder(statement)
      row.put(into: &binder)
      guard binder.code == SQLITE_OK else { throw failure(binder.code) }
      try finish(sqlite3_step(statement))
      sqlite3_reset(statement)
    }
  }

  /// Runs a SELECT and takes every row.
  func rows<Row: TableRow>(_ type: Row.Type) throws -> [Row] {
    defer { sqlite3_reset(statement) }
    var rows: [Row] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try finish(code)
        return rows
      }
      var reader = RowReader(statement)
      rows.append(try Row(from: &reader))
    }
  }

  private func finish(_ code: Int32) throws {
    guard code == SQLITE_DONE else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, on: sqlite3_db_handle(statement))
  }
}
