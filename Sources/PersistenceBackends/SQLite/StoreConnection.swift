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
