import GRDB

/// Opens the database that records are kept in.
enum RecordStore {
  /// Opens or creates a database, sets it up and migrates it.
  ///
  /// `atomic` and `durable` want WAL, where a pool's readers don't wait for its writer. `none` keeps
  /// its journal in memory, which a pool can't, so it gets a queue: one connection for all.
  ///
  /// - Parameter patience: How long a connection waits for a lock, in milliseconds.
  /// - Throws: ``SQLiteFailure`` where the database is another's or a newer program's.
  static func open(
    path: String, _ durability: Durability, patience: Int
  ) throws -> any DatabaseWriter {
    let configuration = configuration(patience)
    let database: any DatabaseWriter =
      durability == .none
      ? try DatabaseQueue(path: path, configuration: configuration)
      : try DatabasePool(path: path, configuration: configuration)
    // Only now: a pool has set `synchronous` by itself.
    try database.writeWithoutTransaction { try StoreSettings(durability).apply(to: $0) }
    try RecordSchema.migrator.migrate(database)
    return database
  }

  private static func configuration(_ patience: Int) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(patience) / 1_000)
    // Dropping caches shall drop pages, not connections.
    configuration.persistentReadOnlyConnections = true
    configuration.prepareDatabase { db in
      db.add(function: NameFilter.function)
      if db.configuration.readonly {
        // A pool's readers have a longer timeout of their own.
        try db.execute(sql: "PRAGMA busy_timeout = \(patience)")
      } else {
        try RecordSchema.check(db)
      }
    }
    return configuration
  }
}

/// Runs an operation on records; what SQLite and GRDB throw becomes a ``StorageError``.
func recording<Result>(
  _ operation: String, _ path: String, patience: Int, _ body: () throws -> Result
) throws -> Result {
  try storing(operation, path, patience: patience) {
    do {
      return try body()
    } catch let error as RowDecodingError {
      // What follows is the whole row.
      let facts = "\(error)".split(separator: ", row: ", maxSplits: 1).first ?? ""
      throw SQLiteFailure(String(facts))
    } catch let error as DecodingError {
      throw SQLiteFailure("a record can't be decoded: \(error)")
    }
  }
}
