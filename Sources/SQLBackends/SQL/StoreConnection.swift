import BackendKit
import GRDB
import GRDBSQLite

/// Where a backend's database is and how it is opened.
struct StoreDescription {
  let path: String
  let durability: Durability
  /// The schemas that the backend knows, this program's first.
  let schemas: [StoreSchema]
  /// Who holds the rows to the keys that the schema declares.
  var foreignKeys = ForeignKeys.enforced
  /// The function that its statements or its tables find names by.
  var nameKey: NameKey?
  /// How long an operation waits for another connection's lock, in milliseconds.
  var patience = StoreSettings.busyTimeout
  /// The most bytes of the database that are mapped rather than read (sqlite.org/mmap.html); none by
  /// default, as SQLite has it.
  var mmapSize = 0
  /// Whether it is only read, beside the connection that writes.
  var isReader = false

  var reader: Self {
    var reader = self
    reader.isReader = true
    return reader
  }
}

/// A backend's database on one of GRDB's connections: checked and set up; a statement is prepared once.
final class StoreConnection {
  let description: StoreDescription
  private let queue: DatabaseQueue
  /// GRDB's statements, which finalise themselves once nobody holds them.
  private var owners: [Statement] = []
  private var isOpen = true
  /// Nil until somebody asks for checkpoints of his own.
  private var log: WriteAheadLog?

  /// Opens a database; a writer creates what is missing.
  ///
  /// - Throws: ``StoreError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  init(_ description: StoreDescription) throws {
    self.description = description
    queue = try storing("open", description.path, patience: description.patience) {
      let queue = try DatabaseQueue(
        path: description.path, configuration: Self.configuration(description))
      try queue.writeWithoutTransaction { try Self.prepare($0, description) }
      return queue
    }
  }

  private static func configuration(_ description: StoreDescription) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = description.isReader
    configuration.busyMode = .timeout(Double(description.patience) / 1_000)
    configuration.prepareDatabase { connection in
      try description.nameKey?.register(on: connection.sqliteConnection)
      if description.mmapSize > 0 {
        try connection.execute(sql: "PRAGMA mmap_size = \(description.mmapSize)")
      }
    }
    return configuration
  }

  /// Checks the store. A writer sets the connection up, makes the tables of an empty store and brings an
  /// older program's up to date.
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
      throw SQLiteFailure("its schema is \(schema.version), which a writer has to bring up to date")
    }
  }

  /// Statements that a backend keeps until the store is closed, prepared with their first use: who opens a
  /// store for one thing does not pay for the others.
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
    // GRDB's cache is what prepares persistent statements; it may forget them, we don't.
    let statement = try connection.cachedStatement(sql: sql)
    owners.append(statement)
    return PreparedStatement(handle: statement.sqliteStatement)
  }

  /// Runs an operation outside a transaction.
  func run<Result>(_ operation: String, _ body: (Database) throws -> Result) throws -> Result {
    try using(operation) { try $0.writeWithoutTransaction(body) }
  }

  /// Runs an operation in a transaction, which an error undoes.
  func transact<Result>(
    _ operation: String, _ kind: Database.TransactionKind, _ body: (Database) throws -> Result
  ) throws -> Result {
    try using(operation) { queue in
      var result: Result?
      // Not GRDB's `read`: its query_only pragma makes SQLite prepare every statement anew, every
      // time.
      try queue.inTransaction(kind) { connection in
        result = try body(connection)
        return .commit
      }
      guard let result else { throw SQLiteFailure("the transaction gave nothing") }
      return result
    }
  }

  /// Makes of the database one of another schema, in one transaction; of the statements prepared for
  /// this one none may run any more.
  func change(by statements: [String], version: Int) throws {
    try transact("change the schema of", .immediate) { connection in
      for statement in statements { try connection.execute(sql: statement) }
      try connection.execute(sql: "PRAGMA user_version = \(version)")
    }
  }

  /// Whether commits leave the log to ``checkpoint()``; at `none` there is no log.
  func deferCheckpoints(_ isDeferred: Bool) throws {
    guard description.durability != .none else { return }
    let log = try log ?? run("watch the log of") { WriteAheadLog(on: $0.sqliteConnection) }
    log.isDeferred = isDeferred
    self.log = log
  }

  /// How full the log is; nil where there is none, or nobody watches it.
  var logFill: Double? { log?.fill }
  func checkpoint() throws { try run("checkpoint") { try log?.checkpoint($0.sqliteConnection) } }
  func compact() throws { try run("compact") { try $0.compact() } }

  /// Drops SQLite's cached pages. Statements stay prepared, and GRDB knows the schema as before: its own
  /// `releaseMemory` would drop both too, which an app keeps.
  func releaseMemory() {
    queue.writeWithoutTransaction { connection in
      guard let handle = connection.sqliteConnection else { return }
      _ = sqlite3_db_release_memory(handle)
    }
  }

  /// Finalises the statements and closes the connection; the last one of a database ends the log.
  func close() throws {
    isOpen = false
    owners = []
    try storing("close", description.path, patience: description.patience) { try queue.close() }
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
