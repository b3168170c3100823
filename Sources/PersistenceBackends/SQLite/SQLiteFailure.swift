import GRDB
import GRDBSQLite

/// Why a database could not be used; becomes a ``StorageError`` where its path is known.
struct SQLiteFailure: Error {
  /// What is wrong.
  let reason: String

  /// What we found wrong.
  init(_ reason: String) { self.reason = reason }

  /// What SQLite said on a connection, with its extended result code.
  init(code: Int32, on connection: OpaquePointer?) {
    self.init(code: code, message: connection.flatMap(sqlite3_errmsg))
  }

  /// A GRDB error, in the same words.
  init(_ error: DatabaseError) {
    let code = error.extendedResultCode.rawValue
    guard let message = error.message else {
      self.init(code: code, message: nil)
      return
    }
    self.init("\(message) (SQLite \(code))")
  }

  private init(code: Int32, message: UnsafePointer<CChar>?) {
    let text = (message ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? "failed"
    self.init("\(text) (SQLite \(code))")
  }
}

/// Runs an operation on a database; what SQLite or GRDB throw becomes a ``StorageError``.
func storing<Result>(
  _ operation: String, _ path: String, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let failure as SQLiteFailure {
    throw StorageError(operation: operation, path: path, reason: failure.reason)
  } catch let error as DatabaseError {
    throw StorageError(operation: operation, path: path, reason: SQLiteFailure(error).reason)
  }
}
