import GRDB
import GRDBSQLite

/// Why a database could not be used; becomes a ``StorageError`` where its path is known.
struct SQLiteFailure: Error {
  /// What is wrong.
  let reason: String
  /// SQLite's extended result code; nil where the failure is of our own finding.
  let code: Int32?

  /// What we found wrong.
  init(_ reason: String) {
    self.reason = reason
    code = nil
  }

  /// What SQLite said on a connection, with its extended result code.
  init(code: Int32, on connection: OpaquePointer?) {
    self.init(code: code, message: connection.flatMap(sqlite3_errmsg).map { String(cString: $0) })
  }

  /// A GRDB error, in the same words.
  init(_ error: DatabaseError) {
    self.init(code: error.extendedResultCode.rawValue, message: error.message)
  }

  /// A store that no menu or document was put in.
  static var nothingWritten: Self { Self("nothing was written") }

  private init(code: Int32, message: String?) {
    let text = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "failed"
    reason = "\(text) (SQLite \(code))"
    self.code = code
  }

  /// The failure with what was being done; a lock is blamed on who holds it.
  ///
  /// - Parameter patience: How long the connection waits for a lock, in milliseconds. What comes
  ///   after that wait is the plain code; an extended one, such as SQLITE_BUSY_SNAPSHOT, comes at
  ///   once, where waiting is no help (sqlite.org/rescode.html#busy_snapshot).
  func error(_ operation: String, _ path: String, patience: Int) -> StorageError {
    if code == SQLITE_TOOBIG {
      return StorageError(
        operation: operation, path: path,
        reason: "a row is longer than SQLite takes (SQLITE_LIMIT_LENGTH): \(reason)")
    }
    guard code == SQLITE_BUSY else {
      return StorageError(operation: operation, path: path, reason: reason)
    }
    let holder = LockHolders(of: StoreFiles(path: path)).description
    return StorageError(
      operation: operation, path: path,
      reason: "\(holder) holds it, gave up after \(patience) ms: \(reason)")
  }
}

/// Runs an operation on a database; what SQLite or GRDB throw becomes a ``StorageError``.
func storing<Result>(
  _ operation: String, _ path: String, patience: Int = StoreSettings.busyTimeout,
  _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let failure as SQLiteFailure {
    throw failure.error(operation, path, patience: patience)
  } catch let error as DatabaseError {
    throw SQLiteFailure(error).error(operation, path, patience: patience)
  }
}
