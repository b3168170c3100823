import GRDB
import GRDBSQLite

/// Where a backend's database is and how it is opened.
struct StoreDescription {
  let path: String
  let durability: Durability
  /// The schemas that the backend knows.
  var schemas: [StoreSchema]
  /// What its statements call beyond SQLite's own functions.
  var functions: [DatabaseFunction] = []
  /// How long an operation waits for another connection's lock, in milliseconds.
  var patience = StoreSettings.busyTimeout
  /// Whether it is only read, beside the connection that writes.
  var isReader = false

  /// The same database, for a reader.
  var reader: Self {
    var reader = self
    reader.isReader = true
    return reader
  }
}

/// A backend's database on one of GRDB's connections: checked, set up, its statements prepared once.
final class StoreConnection {
  let description: StoreDescription
  /// The version of the schema that was found or made.
  let version: Int
  private let queue: DatabaseQueue
  /// GRDB's statements, which finalise themselves once nobody holds them.
  private var owners: [Statement] = []
  private var isOpen = true

  /// Opens a database; a writer creates what is missing.
  ///
  /// - Throws: ``StorageError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  init(_ description: StoreDescription) throws {
    self.description = description
    (queue, version) = try storing("open", description.path, patience: description.patience) {
      let queue = try DatabaseQueue(
        path: description.path, configuration: Self.configuration(description))
      return (queue, try queue.writeWithoutTransaction { try Self.prepare($0, description) })
    }
  }

  private static func configuration(_ description: StoreDescription) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = description.isReader
    configuration.busyMode = .timeout(Double(description.patience) / 1_000)
    let functions = description.functions
    configuration.prepareDatabase { connection in
      for function in functions { connection.add(function: function) }
    }
    return configuration
  }

  private static func prepare(
    _ connection: Database, _ description: StoreDescription
  ) throws -> Int {
    guard description.isReader else {
      return try connection.prepareStore(description.durability, description.schemas)
    }
    let (schema, missing) = try StoreSchema.find(among: description.schemas, in: connection)
    guard missing.isEmpty else { throw SQLiteFailure.nothingWritten }
    return schema.version
  }

  /// Prepares statements that live until the store is closed.
  func prepare<Statements>(
    _ make: ((String) throws -> OpaquePointer) throws -> Statements
  ) throws -> Statements {
    try run("prepare") { connection in
      try make { sql in
        // GRDB's cache is what prepares persistent statements; it may forget them, we don't.
        let statement = try connection.cachedStatement(sql: sql)
        owners.append(statement)
        return statement.sqliteStatement
      }
    }
  }

  /// Runs an operation outside a transaction.
  func run<Result>(_ operation: String, _ body: (Database) throws -> Result) throws -> Result {
    try using(operation) { try $0.writeWithoutTransaction(body) }
  }

  /// Runs an operation in a transaction, which an error undoes.
  func transact(
    _ operation: String, _ kind: Database.TransactionKind, _ body: (Database) throws -> Void
  ) throws {
    try using(operation) { queue in
      try queue.inTransaction(kind) { connection in
        try body(connection)
        return .commit
      }
    }
  }

  /// Gives back what the database and its log no longer need.
  func compact() throws { try run("compact") { try $0.compact() } }

  /// The first column of a query, for who checks the store.
  func texts(_ sql: String) throws -> [String] { try run("read") { try $0.texts(sql) } }

  /// The database, its log and the log's index.
  func storedSize() throws -> Size { try StoreFiles(path: description.path).size() }

  /// How many pages were fetched from the files since the store was opened, for who checks that a
  /// part is read without the rest.
  func pagesFetched() throws -> Int {
    try run("count") { connection in
      var count: Int32 = 0
      var peak: Int32 = 0
      sqlite3_db_status(
        connection.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &count, &peak, 0)
      return Int(count)
    }
  }

  /// Drops SQLite's cached pages; the statements stay prepared.
  func releaseMemory() { queue.releaseMemory() }

  /// Finalises the statements and closes the connection; the last one of a database ends the log.
  func close() throws {
    isOpen = false
    owners = []
    try storing("close", description.path) { try queue.close() }
  }

  private func using<Result>(
    _ operation: String, _ body: (DatabaseQueue) throws -> Result
  ) throws -> Result {
    try storing(operation, description.path, patience: description.patience) {
      guard isOpen else { throw SQLiteFailure("the store is closed") }
      return try body(queue)
    }
  }
}

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
  func prepare(_ sql: String) throws -> OpaquePointer {
    let statement = try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    statements.append(statement)
    return statement
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

/// The files that SQLite keeps for one database.
struct StoreFiles {
  let path: String

  /// The bytes of the database, its log and the log's index, as far as they are there.
  func size() throws -> Size { .bytes(try identities().reduce(0) { $0 + $1.length }) }

  /// The files that are there.
  func identities() throws -> [FileIdentity] {
    try ["", "-wal", "-shm", "-journal"].compactMap { try FileIdentity(of: path + $0) }
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
  /// `atomic` and `durable` write to the log. SQLite's own checkpoint stays on: the commit that
  /// takes the log past 1,000 pages copies it into the database and pays for it.
  init(_ durability: Durability) {
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

  private var pragmas: [String] {
    // The last two make Apple's systems flush the drive's cache, and do nothing elsewhere.
    let flush = flushesDrive ? 1 : 0
    return [
      "foreign_keys = ON", "synchronous = \(synchronous)", "fullfsync = \(flush)",
      "checkpoint_fullfsync = \(flush)",
    ]
  }
}
