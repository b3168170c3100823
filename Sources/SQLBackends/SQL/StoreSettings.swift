import BackendKit
import Basics
import GRDB
import GRDBSQLite

extension Database {
  /// The first column of a query's rows as texts.
  func texts(_ sql: String) throws -> [String] { try String.fetchAll(self, sql: sql) }

  /// Rebuilds the database without free pages and copies the log into it. Call it outside a
  /// transaction.
  ///
  /// - Throws: ``SQLiteFailure`` if a reader blocks the checkpoint for longer than the busy timeout.
  func compact() throws {
    try execute(sql: "VACUUM")
    // The first column is 1 if a lock blocked it (sqlite.org/pragma.html#pragma_wal_checkpoint).
    guard try texts("PRAGMA wal_checkpoint(TRUNCATE)").first == "0" else {
      throw SQLiteFailure("a reader uses the log, so the log keeps its length")
    }
  }
}

/// SQLite's settings for each durability.
enum StoreSettings {
  /// How long an operation waits for another connection's lock, in milliseconds.
  static let busyTimeout = 5_000

  /// Sets up a connection. Throws ``SQLiteFailure`` if SQLite refuses the journal mode, as it does on
  /// a file system without shared memory.
  ///
  /// `none` keeps the rollback journal in memory. A failed operation is still rolled back, but if the
  /// process dies during a write, the file may be corrupt. Journal OFF would be slightly faster, but a
  /// failed INSERT would be undefined behaviour (sqlite.org/pragma.html#pragma_journal_mode).
  ///
  /// `atomic` and `durable` use a write-ahead log. NORMAL flushes it only before a checkpoint, so a
  /// power cut may lose the last commits but no more. FULL flushes it at each commit
  /// (sqlite.org/pragma.html#pragma_synchronous). SQLite's automatic checkpoint stays on: the commit
  /// that takes the log past 1,000 pages also copies the log into the database.
  static func apply(
    _ durability: Durability, _ foreignKeys: ForeignKeys = .enforced, to connection: Database
  ) throws {
    let (journal, synchronous) =
      switch durability {
      case .none: ("memory", "OFF")
      case .atomic: ("wal", "NORMAL")
      case .durable: ("wal", "FULL")
      }
    let answer = try connection.texts("PRAGMA journal_mode = \(journal)")
    guard answer == [journal] else {
      throw SQLiteFailure("the journal mode is \(answer.joined()), not \(journal)")
    }
    // The last two flush the drive's cache on Apple's systems and have no effect elsewhere.
    let flush = durability == .durable ? 1 : 0
    let pragmas = [
      "foreign_keys = \(foreignKeys == .enforced ? "ON" : "OFF")", "synchronous = \(synchronous)",
      "fullfsync = \(flush)", "checkpoint_fullfsync = \(flush)",
    ]
    for pragma in pragmas { try connection.execute(sql: "PRAGMA \(pragma)") }
  }
}

/// Decides when the foreign keys of a schema are checked.
enum ForeignKeys {
  /// SQLite checks each row that is added or removed. `DELETE FROM` a table then loops over its rows
  /// and keeps a statement journal as well (sqlite.org/lang_delete.html#truncateopt).
  case enforced
  /// The backend runs `PRAGMA foreign_key_check` before a commit that may break keys.
  ///
  /// It is set once per connection, because a change makes SQLite prepare every statement again.
  case checked
}

/// The SQLite library of this process. BenchCLI writes it into the machine of a run record.
package enum SQLiteLibrary {
  /// The version, with the build options that affect counts of bytes, allocations or mutexes.
  package static var version: String {
    SQLiteBuild.description(version: sqlite3_libversion(), isUsed: sqlite3_compileoption_used)
  }
}
