import BackendKit
import GRDB
import GRDBSQLite

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

/// A connection by SQLite's C API alone, opened as GRDB opens its own.
final class CConnection: SQLConnection {
  private let handle: OpaquePointer
  private var statements: [OpaquePointer] = []
  private var isOpen = true

  /// Opens or creates a database.
  init(path: String) throws {
    var handle: OpaquePointer?
    // GRDB's flags: its queue serialises access, so the connection needs no lock of its own.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = SQLiteFailure(code: code, on: handle)
      sqlite3_close(handle)
      throw failure
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(StoreSettings.busyTimeout))
  }

  deinit { close() }

  /// Prepares a statement that is kept until the connection is closed.
  func prepare(_ sql: String) throws -> PreparedStatement {
    let statement = try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    statements.append(statement)
    return PreparedStatement(statement)
  }

  func run(_ sql: String) throws { _ = try texts(sql) }

  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql, flags: 0)
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        guard let text = sqlite3_column_text(statement, 0) else { continue }
        texts.append(String(cString: text))
      case SQLITE_DONE: return texts
      case let code: throw SQLiteFailure(code: code, on: handle)
      }
    }
  }

  /// Runs operations in a transaction, which an error undoes.
  func inTransaction<Result>(_ kind: String, _ body: () throws -> Result) throws -> Result {
    try run("BEGIN \(kind)")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // A full disk makes SQLite roll back by itself; then there is nothing left to undo.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Watches the connection's log.
  func watchLog() -> WriteAheadLog { WriteAheadLog(on: handle) }

  /// Copies a watched log into the database.
  func checkpoint(_ log: WriteAheadLog) throws { try log.checkpoint(handle) }

  /// Drops the pages kept in memory; statements stay.
  func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// Finalises the statements and closes.
  func close() {
    guard isOpen else { return }
    isOpen = false
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  private func prepare(_ sql: String, flags: UInt32) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw SQLiteFailure(code: code, on: handle) }
    return statement
  }
}

/// What a durability means to SQLite. GRDB's connection and the bare one get the same.
struct StoreSettings {
  /// How long an operation waits for another connection's lock, in milliseconds.
  static let busyTimeout = 5_000

  let journal: String
  let synchronous: String

  /// The settings of a durability.
  ///
  /// `none` keeps the rollback journal in memory: an operation that fails is still undone, but a
  /// process that dies half-way leaves a torn file. Journal OFF would spare a little more and make
  /// a failed INSERT undefined behaviour (sqlite.org/pragma.html#pragma_journal_mode).
  ///
  /// `atomic` and `durable` write to the log: NORMAL flushes it before it is copied into the
  /// database, so that a power cut costs the last commits at most, FULL at each commit
  /// (sqlite.org/pragma.html#pragma_synchronous). SQLite's own checkpoint stays on: the commit that
  /// takes the log past 1,000 pages copies it into the database and pays for it.
  init(_ durability: Durability, foreignKeys: ForeignKeys = .enforced) {
    self.foreignKeys = foreignKeys
    switch durability {
    case .none: (journal, synchronous) = ("memory", "OFF")
    case .atomic: (journal, synchronous) = ("wal", "NORMAL")
    case .durable: (journal, synchronous) = ("wal", "FULL")
    }
    flushesDrive = durability == .durable
  }

  /// Sets a connection up; throws ``SQLiteFailure`` where the journal can't be had, as on a file
  /// system without shared memory.
  func apply(to connection: some SQLConnection) throws {
    let answer = try connection.texts("PRAGMA journal_mode = \(journal)")
    guard answer == [journal] else {
      throw SQLiteFailure(
        "the journal mode is \(answer.joined()), not \(journal)")
    }
    for pragma in pragmas { try connection.run("PRAGMA \(pragma)") }
  }

  private let flushesDrive: Bool
  private let foreignKeys: ForeignKeys

  private var pragmas: [String] {
    // The last two make Apple's systems flush the drive's cache, and do nothing elsewhere.
    let flush = flushesDrive ? 1 : 0
    return [
      "foreign_keys = \(foreignKeys == .enforced ? "ON" : "OFF")", "synchronous = \(synchronous)",
      "fullfsync = \(flush)",
      "checkpoint_fullfsync = \(flush)",
    ]
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
  /// Its version with those options of its build that change what is counted, such as
  /// `3.40.1 (SECURE_DELETE)`: with `SECURE_DELETE` more bytes are written, without `OMIT_LOOKASIDE`
  /// fewer allocations are seen, and with `DEFAULT_MEMSTATUS=0` none of them takes a mutex.
  package static var version: String {
    let options = reachingOptions.filter { sqlite3_compileoption_used($0) != 0 }
    let build = options.isEmpty ? "" : " (\(options.joined(separator: ", ")))"
    return String(cString: sqlite3_libversion()) + build
  }

  private static let reachingOptions = [
    "DEFAULT_MEMSTATUS=0", "FAST_SECURE_DELETE", "OMIT_LOOKASIDE", "SECURE_DELETE",
  ]
}
