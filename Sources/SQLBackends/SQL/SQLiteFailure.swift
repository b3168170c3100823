import BackendKit
import Basics
import GRDB
import GRDBSQLite

/// Why a database could not be used; becomes a ``StoreError`` where its path is known.
struct SQLiteFailure: Error {
  let reason: String
  /// SQLite's extended result code; nil where the failure is of our own finding.
  let code: Int32?

  init(_ reason: String) {
    self.reason = reason
    code = nil
  }

  /// What SQLite said on a connection, with its extended result code.
  init(code: Int32, on connection: OpaquePointer?) {
    self.init(code: code, message: connection.flatMap(sqlite3_errmsg).map { String(cString: $0) })
  }

  init(_ error: DatabaseError) {
    self.init(code: error.extendedResultCode.rawValue, message: error.message)
  }

  /// What `PRAGMA foreign_key_check` found: a row, by its rowid where it has one, that names none.
  init(danglingIn child: String, row: Int?, parent: String) {
    let place = row.map { "\(child) \($0)" } ?? "a row of \(child)"
    self.init("FOREIGN KEY constraint failed: \(place) names a row that is not in \(parent)")
  }

  /// A store that no menu or document was put in.
  static var nothingWritten: Self { Self("nothing was written") }

  private init(code: Int32, message: String?) {
    let text = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "failed"
    // Of what we bind to such a column only NaN becomes NULL (sqlite.org/floatingpoint.html).
    let cause = code == notNull ? "; SQLite keeps NaN as NULL: the number is not finite" : ""
    reason = "\(text) (SQLite \(code))\(cause)"
    self.code = code
  }

  /// The failure with what was being done.
  ///
  /// - Parameter patience: How long the connection waits for a lock, in milliseconds. What comes
  ///   after that wait is the plain code; an extended one, such as SQLITE_BUSY_SNAPSHOT, comes at
  ///   once, where waiting is no help (sqlite.org/rescode.html#busy_snapshot).
  func error(_ operation: String, _ path: String, patience: Int) -> StoreError {
    guard code == SQLITE_BUSY else {
      return StoreError(operation: operation, path: path, reason: reason)
    }
    return StoreError(
      operation: operation, path: path,
      reason: "another connection holds it, gave up after \(patience) ms: \(reason)")
  }
}

/// `SQLITE_CONSTRAINT_NOTNULL`, a macro that Swift does not import.
private let notNull = SQLITE_CONSTRAINT | 5 << 8

/// Runs an operation on a database; what SQLite or GRDB throw becomes a ``StoreError``.
func storing<Result>(
  _ operation: String, _ path: String, patience: Int, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let failure as SQLiteFailure {
    throw failure.error(operation, path, patience: patience)
  } catch let error as DatabaseError {
    throw SQLiteFailure(error).error(operation, path, patience: patience)
  } catch let error as RowDecodingError {
    // What follows is the whole row.
    let facts = "\(error)".split(separator: ", row: ", maxSplits: 1).first ?? ""
    throw SQLiteFailure(String(facts)).error(operation, path, patience: patience)
  } catch let error as DecodingError {
    throw SQLiteFailure("a record can't be decoded: \(error.briefly)")
      .error(operation, path, patience: patience)
  }
}
