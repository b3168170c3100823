import GRDB

/// What opening a store takes of a connection, so that GRDB's and the bare one are set up by the
/// same code.
protocol SQLConnection {
  /// Runs one statement; its rows are dropped.
  func run(_ sql: String) throws
  /// The first column of a query as texts.
  func texts(_ sql: String) throws -> [String]
}

extension SQLConnection {
  /// Writes the database anew without its free pages, and the log into it; to be called outside of a
  /// transaction.
  ///
  /// - Throws: ``SQLiteFailure`` where a reader kept the log for longer than the connection waits.
  func compact() throws {
    try run("VACUUM")
    // The first column says whether somebody was in the way (sqlite.org/pragma.html#pragma_wal_checkpoint).
    guard try texts("PRAGMA wal_checkpoint(TRUNCATE)").first == "0" else {
      throw SQLiteFailure("a reader keeps the log, which stays as long as it is")
    }
  }
}

extension Database: SQLConnection {
  func run(_ sql: String) throws { try execute(sql: sql) }
  func texts(_ sql: String) throws -> [String] { try String.fetchAll(self, sql: sql) }
}
