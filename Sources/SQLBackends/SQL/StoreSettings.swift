import BackendKit
import Basics
import GRDB
import GRDBSQLite

extension Database {
  /// The first column of a query as texts.
  func texts(_ sql: String) throws -> [String] { try String.fetchAll(self, sql: sql) }

  /// Writes the database anew without its free pages, and the log into it; to be called outside of a
  /// transaction.
  ///
  /// - Throws: ``SQLiteFailure`` where a reader kept the log for longer than the connection waits.
  func compact() throws {
    try execute(sql: "VACUUM")
    // The first column says whether somebody was in the way (sqlite.org/pragma.html#pragma_wal_checkpoint).
    guard try texts("PRAGMA wal_checkpoint(TRUNCATE)").first == "0" else {
      throw SQLiteFailure("a reader keeps the log, which stays as long as it is")
    }
  }
}

/// What a durability means to SQLite.
enum StoreSettings {
  /// How long an operation waits for another connection's lock, in milliseconds.
  static let busyTimeout = 5_000

  /// Sets a connection up; throws ``SQLiteFailure`` where the journal can't be had, as on a file
  /// system without shared memory.
  ///
  /// `none` keeps the rollback journal in memory: an operation that fails is still undone, but a
  /// process that dies half-way leaves a torn file. Journal OFF would spare a little more and make
  /// a failed INSERT undefined behaviour (sqlite.org/pragma.html#pragma_journal_mode).
  ///
  /// `atomic` and `durable` write to the log: NORMAL flushes it before it is copied into the
  /// database, so that a power cut costs the last commits at most, FULL at each commit
  /// (sqlite.org/pragma.html#pragma_synchronous). SQLite's own checkpoint stays on: the commit that
  /// takes the log past 1,000 pages copies it into the database and pays for it.
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
    // The last two make Apple's systems flush the drive's cache, and do nothing elsewhere.
    let flush = durability == .durable ? 1 : 0
    let pragmas = [
      "foreign_keys = \(foreignKeys == .enforced ? "ON" : "OFF")", "synchronous = \(synchronous)",
      "fullfsync = \(flush)", "checkpoint_fullfsync = \(flush)",
    ]
    for pragma in pragmas { try connection.execute(sql: "PRAGMA \(pragma)") }
  }
}

/// Who holds rows to the foreign keys that a schema declares.
enum ForeignKeys {
  /// SQLite, at each row that is added or removed. `DELETE FROM` a table is then a loop over its rows,
  /// with a journal of its own beside the transaction's (sqlite.org/lang_delete.html#truncateopt).
  case enforced
  /// We, by `PRAGMA foreign_key_check` before the commit of what may break them.
  ///
  /// For the whole life of a connection, since a switch makes SQLite prepare every statement anew.
  case checked
}

/// The SQLite library that this process uses.
package enum SQLiteLibrary {
  /// Its version with those options of its build that change what is counted.
  package static var version: String {
    SQLiteBuild.description(version: sqlite3_libversion(), isUsed: sqlite3_compileoption_used)
  }
}
