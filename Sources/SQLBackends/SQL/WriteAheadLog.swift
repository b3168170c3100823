import GRDB
import GRDBSQLite

/// The log of a connection in WAL mode: how full it is, and when it is copied into the database.
///
/// It stands in the place of SQLite's own automatic checkpoint, which is such a hook too
/// (sqlite.org/c3ref/wal_hook.html), and does what that does unless told to defer it.
final class WriteAheadLog {
  /// The pages from which on a commit copies the log: SQLite's default
  /// (sqlite.org/pragma.html#pragma_wal_autocheckpoint).
  static let bound = 1_000

  /// Whether commits leave the log as it is, however long.
  var isDeferred = false
  /// The pages that the log has, as of the last commit.
  private var pages = 0
  /// How full the log is: from 1 on a commit copies it.
  var fill: Double { Double(pages) / Double(Self.bound) }

  /// Hooks into a connection, which it must outlive.
  init(on handle: OpaquePointer?) {
    sqlite3_wal_hook(
      handle,
      { context, handle, _, pages in
        guard let context else { return SQLITE_OK }
        let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
        log.pages = Int(pages)
        guard !log.isDeferred, log.pages >= WriteAheadLog.bound else { return SQLITE_OK }
        // Its outcome is of no concern to the commit, as with SQLite's own.
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies the log into the database.
  ///
  /// - Throws: ``SQLiteFailure`` where the connection cannot, or where a reader kept part of the log
  ///   from it.
  func checkpoint(_ handle: OpaquePointer?) throws {
    var (length, copied) = (Int32(0), Int32(0))
    let code = sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, on: handle) }
    guard length == copied else {
      throw SQLiteFailure("a reader kept \(length - copied) of \(length) pages of the log")
    }
    pages = 0
  }
}
