import BackendKit
import Basics
import GRDB
import GRDBSQLite

/// The reason why a database could not be used. ``storing(_:_:timeLimit:_:)`` makes it a ``StoreError``.
struct SQLiteFailure: Error {
  let reason: String
  /// SQLite's extended result code, or nil if this program found the failure.
  let code: Int32?

  init(_ reason: String) {
    self.reason = reason
    code = nil
  }

  /// Takes SQLite's error message of a connection, with the extended result code.
  init(code: Int32, on connection: OpaquePointer?) {
    self.init(code: code, message: connection.flatMap(sqlite3_errmsg).map { String(cString: $0) })
  }

  init(_ error: DatabaseError) {
    self.init(code: error.extendedResultCode.rawValue, message: error.message)
  }

  /// Reports what `PRAGMA foreign_key_check` found: a row whose key refers to a missing row.
  init(danglingIn child: String, row: Int?, parent: String) {
    let place = row.map { "\(child) \($0)" } ?? "a row of \(child)"
    self.init("FOREIGN KEY constraint failed: \(place) names a row that is not in \(parent)")
  }

  /// The failure of a store that has no menu or document yet.
  static var nothingWritten: Self { Self("nothing was written") }

  private init(code: Int32, message: String?) {
    let text = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "failed"
    // Only NaN becomes NULL in such a column, of all values bound here (sqlite.org/floatingpoint.html).
    let cause = code == notNull ? ": SQLite keeps NaN as NULL, so the number is not finite" : ""
    reason = "\(text) (SQLite \(code))\(cause)"
    self.code = code
  }

  /// Returns the failure as a ``StoreError`` for an operation.
  ///
  /// - Parameter timeLimit: How long the connection waits for a lock, in milliseconds. SQLite returns
  ///   the plain SQLITE_BUSY after that wait. It returns an extended code, such as
  ///   SQLITE_BUSY_SNAPSHOT, at once if waiting cannot help (sqlite.org/rescode.html#busy_snapshot).
  func error(_ operation: String, _ path: String, timeLimit: Int) -> StoreError {
    guard code == SQLITE_BUSY else {
      return StoreError(operation: operation, path: path, reason: reason)
    }
    return StoreError(
      operation: operation, path: path,
      reason: "another connection held it for \(timeLimit) ms: \(reason)")
  }
}

/// `SQLITE_CONSTRAINT_NOTNULL`, a macro that Swift does not import.
private let notNull = SQLITE_CONSTRAINT | 5 << 8

/// Runs an operation on a database and turns errors of SQLite and GRDB into ``StoreError``.
func storing<Result>(
  _ operation: String, _ path: String, timeLimit: Int, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let failure as SQLiteFailure {
    throw failure.error(operation, path, timeLimit: timeLimit)
  } catch let error as DatabaseError {
    throw SQLiteFailure(error).error(operation, path, timeLimit: timeLimit)
  } catch let error as RowDecodingError {
    // Cut off the whole row, which GRDB appends.
    let facts = "\(error)".split(separator: ", row: ", maxSplits: 1).first ?? ""
    throw SQLiteFailure(String(facts)).error(operation, path, timeLimit: timeLimit)
  } catch let error as DecodingError {
    throw SQLiteFailure("a record can't be decoded: \(error.briefly)")
      .error(operation, path, timeLimit: timeLimit)
  }
}
