import GRDBSQLite

/// A statement prepared by GRDB or by the C API, run through the C API either way.
///
/// It doesn't own the statement: whoever prepared it finalises it.
struct PreparedStatement {
  let statement: OpaquePointer

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
    try collect { try Row(from: &$0) }
  }

  /// Runs a SELECT and takes what is made of every row.
  func collect<Value>(_ make: (inout RowReader) throws -> Value) throws -> [Value] {
    defer { sqlite3_reset(statement) }
    var values: [Value] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try finish(code)
        return values
      }
      var reader = RowReader(statement)
      values.append(try make(&reader))
    }
  }

  /// Gives the parameters of the next run their values.
  func bind(_ values: (inout RowBinder) -> Void) throws {
    var binder = RowBinder(statement)
    values(&binder)
    guard binder.code == SQLITE_OK else { throw failure(binder.code) }
  }

  /// Runs an UPDATE; how many rows it found.
  func update(_ values: (inout RowBinder) -> Void) throws -> Int {
    try bind(values)
    try run()
    return Int(sqlite3_changes(sqlite3_db_handle(statement)))
  }

  /// Runs queries while the first row of this one is open; nil where it has no row.
  ///
  /// As long as a statement has a row open, SQLite's read transaction lasts, and all that is read
  /// meanwhile is of one state (sqlite.org/lang_transaction.html): it spares BEGIN and COMMIT.
  func holdingRow<Result>(_ body: () throws -> Result) throws -> Result? {
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW else {
      try finish(code)
      return nil
    }
    return try body()
  }

  /// Over how many rows it went because no index led to them, for who checks that there is one.
  var scannedRows: Int { Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)) }

  /// Throws unless a run came to its end.
  func finish(_ code: Int32) throws {
    guard code == SQLITE_DONE else { throw failure(code) }
  }

  /// A failure of this statement, in SQLite's words.
  func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, on: sqlite3_db_handle(statement))
  }
}
