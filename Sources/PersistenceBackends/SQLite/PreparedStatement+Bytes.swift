import Foundation
import GRDBSQLite

extension PreparedStatement {
  /// Runs a statement whose one parameter is a blob, which SQLite reads where it lies.
  func run(_ bytes: Data) throws {
    defer { sqlite3_reset(statement) }
    try bytes.withUnsafeBytes { buffer in
      // No destructor is SQLITE_STATIC: the bytes outlive the run, and no later run sees them.
      defer { sqlite3_clear_bindings(statement) }
      // A null address would bind NULL instead of an empty blob.
      let code =
        buffer.isEmpty
        ? sqlite3_bind_zeroblob(statement, 1, 0)
        : sqlite3_bind_blob64(statement, 1, buffer.baseAddress, UInt64(buffer.count), nil)
      guard code == SQLITE_OK else { throw failure(code) }
      try finish(sqlite3_step(statement))
    }
  }

  /// Runs a SELECT of one column and takes the first row's blob; nil where there is no row.
  func bytes() throws -> Data? {
    try holdingRow {
      guard sqlite3_column_type(statement, 0) == SQLITE_BLOB else {
        throw SQLiteFailure("what is stored is no blob")
      }
      // The length is asked after the bytes, as for a text.
      guard let start = sqlite3_column_blob(statement, 0) else {
        guard sqlite3_column_bytes(statement, 0) == 0 else { throw failure(SQLITE_NOMEM) }
        return Data()
      }
      return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, 0)))
    }
  }
}
