import GRDB
import GRDBSQLite

@testable import PersistenceBackends

/// What only tests ask a connection for.
extension StoreConnection {
  /// Lets SQLite take no row longer than that.
  func limitRows(to length: Int32) throws {
    try run("limit") { _ = sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_LENGTH, length) }
  }

  /// How many pages were fetched from the files since the store was opened.
  func pagesFetched() throws -> Int {
    try run("count") { connection in
      var count: Int32 = 0
      var peak: Int32 = 0
      sqlite3_db_status(
        connection.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &count, &peak, 0)
      return Int(count)
    }
  }

  /// Over how many rows statements with a condition went because no index led to them.
  func scannedRows() throws -> Int {
    try run("count") { connection in
      var rows = 0
      var next = sqlite3_next_stmt(connection.sqliteConnection, nil)
      while let statement = next {
        if let sql = sqlite3_sql(statement), String(cString: sql).contains(" WHERE ") {
          rows += Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
        }
        next = sqlite3_next_stmt(connection.sqliteConnection, statement)
      }
      return rows
    }
  }
}
