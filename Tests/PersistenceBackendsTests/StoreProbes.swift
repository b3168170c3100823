import GRDB
import GRDBSQLite
import PersistenceBackends

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

/// Questions that only tests ask a connection.
extension StoreConnection {
  /// The first column of a query.
  func texts(_ sql: String) throws -> [String] { try run("read") { try $0.texts(sql) } }

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
    try sum(SQLITE_STMTSTATUS_FULLSCAN_STEP) { $0.contains(" WHERE ") }
  }

  /// The number of runs of prepared statements since the store was opened, without those that begin
  /// and end transactions.
  func runs() throws -> Int {
    try sum(SQLITE_STMTSTATUS_RUN) { sql in
      !["BEGIN", "COMMIT", "ROLLBACK"].contains { sql.hasPrefix($0) }
    }
  }

  /// The prepared statements with the values that are bound to them, NULL where there is none.
  func prepared() throws -> [String] {
    try statements { statement -> String in
      let sql = sqlite3_expanded_sql(statement)
      defer { sqlite3_free(sql) }
      return sql.map { String(cString: $0) } ?? ""
    }
  }

  /// A counter of prepared statements, those added up whose text is wanted.
  private func sum(_ counter: Int32, where isWanted: (String) -> Bool) throws -> Int {
    try statements { statement -> Int in
      guard let sql = sqlite3_sql(statement), isWanted(String(cString: sql)) else { return 0 }
      return Int(sqlite3_stmt_status(statement, counter, 0))
    }.reduce(0, +)
  }

  /// The result for every prepared statement.
  private func statements<Value>(_ take: (OpaquePointer) -> Value) throws -> [Value] {
    try run("list") { connection in
      var values: [Value] = []
      var next = sqlite3_next_stmt(connection.sqliteConnection, nil)
      while let statement = next {
        values.append(take(statement))
        next = sqlite3_next_stmt(connection.sqliteConnection, statement)
      }
      return values
    }
  }
}
