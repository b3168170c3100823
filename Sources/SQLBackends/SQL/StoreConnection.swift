import BackendKit
import GRDB
import GRDBSQLite

/// The location of a backend's database and the settings to open it with.
struct StoreDescription {
  let path: String
  let durability: Durability
  /// The schemas that the backend knows, with this program's first.
  let schemas: [StoreSchema]
  /// Decides when the schema's foreign keys are checked.
  var foreignKeys = ForeignKeys.enforced
  /// The function that the statements or tables use to find names.
  var nameKey: NameKey?
  /// How long an operation waits for another connection's lock, in milliseconds.
  var timeLimit = StoreSettings.busyTimeout
  /// The maximum number of bytes of the database that SQLite maps instead of reading
  /// (sqlite.org/mmap.html). The default is 0, as in SQLite.
  var mmapSize = 0
  /// Whether this connection only reads, next to the connection that writes.
  var isReader = false

  var reader: Self {
    var reader = self
    reader.isReader = true
    return reader
  }
}

/// A backend's database on one GRDB connection, checked and set up. Prepares each statement once.
final class StoreConnection {
  let description: StoreDescription
  private let queue: DatabaseQueue
  /// GRDB's statements, which are finalised when they are released.
  private var owners: [Statement] = []
  private var isOpen = true
  /// Nil until checkpoints are deferred for the first time.
  private var log: WriteAheadLog?

  /// Opens a database. A writer creates what is missing.
  ///
  /// - Throws: ``StoreError`` if the file is not a database, has a newer or unknown schema, or has
  ///   the tables of another backend or program.
  init(_ description: StoreDescription) throws {
    self.description = description
    queue = try storing("open", description.path, timeLimit: description.timeLimit) {
      let queue = try DatabaseQueue(
        path: description.path, configuration: Self.configuration(description))
      try queue.writeWithoutTransaction { try Self.prepare($0, description) }
      return queue
    }
  }

  private static func configuration(_ description: StoreDescription) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = description.isReader
    configuration.busyMode = .timeout(Double(description.timeLimit) / 1_000)
    configuration.prepareDatabase { connection in
      try description.nameKey?.register(on: connection.sqliteConnection)
      if description.mmapSize > 0 {
        try connection.execute(sql: "PRAGMA mmap_size = \(description.mmapSize)")
      }
    }
    return configuration
  }

  /// Checks the store. A writer also sets up the connection, creates the tables of an empty store and
  /// upgrades a store of an older program.
  private static func prepare(
    _ connection: Database, _ description: StoreDescription
  ) throws {
    let (schema, missing) = try StoreSchema.find(among: description.schemas, in: connection)
    guard description.isReader else {
      try StoreSettings.apply(description.durability, description.foreignKeys, to: connection)
      let statements = missing + schema.upgrade
      guard !statements.isEmpty, let newest = description.schemas.first?.version else { return }
      return try schema.run(statements, version: newest, in: connection)
    }
    guard missing.isEmpty else { throw SQLiteFailure.nothingWritten }
    guard schema.upgrade.isEmpty else {
      throw SQLiteFailure("its schema is \(schema.version), which only a writer can upgrade")
    }
  }

  /// Returns statements that are kept until the store is closed, and prepares them for the first use.
  /// So opening a store costs nothing for statements that do not run.
  func prepared<Statements>(
    _ kept: inout Statements?, for operation: String = "read",
    _ make: ((String) throws -> PreparedStatement) throws -> Statements
  ) throws -> Statements {
    if let kept { return kept }
    let statements = try run(operation) { connection in
      try make { try prepare($0, on: connection) }
    }
    kept = statements
    return statements
  }

  /// Prepares a statement that lives until the store is closed, within ``run(_:_:)`` or
  /// ``transact(_:_:_:)``.
  func prepare(_ sql: String, on connection: Database) throws -> PreparedStatement {
    // GRDB's cache prepares persistent statements. It may drop them, so `owners` keeps them.
    let statement = try connection.cachedStatement(sql: sql)
    owners.append(statement)
    return PreparedStatement(handle: statement.sqliteStatement)
  }

  /// Runs an operation outside a transaction.
  func run<Result>(_ operation: String, _ body: (Database) throws -> Result) throws -> Result {
    try using(operation) { try $0.writeWithoutTransaction(body) }
  }

  /// Runs an operation in a transaction. An error rolls it back.
  func transact<Result>(
    _ operation: String, _ kind: Database.TransactionKind, _ body: (Database) throws -> Result
  ) throws -> Result {
    try using(operation) { queue in
      var result: Result?
      // Not GRDB's `read`: it sets the pragma query_only, which makes SQLite prepare every statement
      // again, each time.
      try queue.inTransaction(kind) { connection in
        result = try body(connection)
        return .commit
      }
      guard let result else { throw SQLiteFailure("the transaction returned nothing") }
      return result
    }
  }

  /// Changes the database to another schema in one transaction. Statements that were prepared for the
  /// old schema must not run afterwards.
  func change(by statements: [String], version: Int) throws {
    try transact("change the schema of", .immediate) { connection in
      for statement in statements { try connection.execute(sql: statement) }
      try connection.execute(sql: "PRAGMA user_version = \(version)")
    }
  }

  /// Sets whether commits leave the checkpoint to ``checkpoint()``. At `none` there is no log.
  func deferCheckpoints(_ isDeferred: Bool) throws {
    guard description.durability != .none else { return }
    let log = try log ?? run("watch the log of") { WriteAheadLog(on: $0.sqliteConnection) }
    log.isDeferred = isDeferred
    self.log = log
  }

  /// How full the log is, or nil if there is no log or no hook on it.
  var logFill: Double? { log?.fill }
  func checkpoint() throws { try run("checkpoint") { try log?.checkpoint($0.sqliteConnection) } }
  func compact() throws { try run("compact") { try $0.compact() } }

  /// Drops SQLite's cached pages. The statements and GRDB's knowledge of the schema stay, as in an app
  /// that keeps them. GRDB's own `releaseMemory` would drop both.
  func releaseMemory() {
    queue.writeWithoutTransaction { connection in
      guard let handle = connection.sqliteConnection else { return }
      _ = sqlite3_db_release_memory(handle)
    }
  }

  /// Finalises the statements and closes the connection. The last connection removes the log.
  func close() throws {
    isOpen = false
    owners = []
    try storing("close", description.path, timeLimit: description.timeLimit) { try queue.close() }
  }

  private func using<Result>(
    _ operation: String, _ body: (DatabaseQueue) throws -> Result
  ) throws -> Result {
    try storing(operation, description.path, timeLimit: description.timeLimit) {
      guard isOpen else { throw SQLiteFailure("the store is closed") }
      return try body(queue)
    }
  }
}
