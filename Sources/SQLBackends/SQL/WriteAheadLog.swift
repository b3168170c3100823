import GRDB
import GRDBSQLite

/// The log of a connection in WAL mode: tracks its length and runs checkpoints.
///
/// The hook replaces SQLite's own automatic checkpoint, which is also a WAL hook
/// (sqlite.org/c3ref/wal_hook.html). It does the same unless checkpoints are deferred.
final class WriteAheadLog {
  /// The number of pages from which a commit runs a checkpoint: SQLite's default
  /// (sqlite.org/pragma.html#pragma_wal_autocheckpoint).
  static let bound = 1_000

  /// Whether commits skip the checkpoint, however long the log is.
  var isDeferred = false
  /// The number of pages in the log after the last commit.
  private var pages = 0
  /// The pages in the log divided by `bound`: from 1 on, a commit runs a checkpoint.
  var fill: Double { Double(pages) / Double(Self.bound) }

  /// Installs the hook on a connection. This object must outlive the connection.
  init(on handle: OpaquePointer?) {
    sqlite3_wal_hook(
      handle,
      { context, handle, _, pages in
        guard let context else { return SQLITE_OK }
        let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
        log.pages = Int(pages)
        guard !log.isDeferred, log.pages >= WriteAheadLog.bound else { return SQLITE_OK }
        // A failed checkpoint does not fail the commit, as with SQLite's own hook.
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies the log into the database.
  ///
  /// - Throws: ``SQLiteFailure`` if the checkpoint fails, or if a reader still needed part of the log.
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
