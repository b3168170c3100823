import GRDB
import GRDBSQLite
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite-records`: GRDB's records and associations.
  public static var sqliteRecords: Self {
    Self(
      id: "sqlite-records", summary: "SQLite by GRDB's Codable records and associations",
      caveat:
        "sqlite-records shows what the convenience costs: the tables of sqlite, but a record is "
        + "encoded by name when it is inserted, and including(all:) copies a row and looks its "
        + "columns up by name",
      library: .grdb, promises: [.atomic, .durable, .partialRead, .query, .concurrentReader]
    ) { try SQLiteRecordsBackend($0) }
  }
}

/// A menu as GRDB's documentation recommends to keep it: a `Codable` record type a table, whose
/// associations fetch what belongs together ("Recommended Practices for Designing Record Types" and
/// "Associations Basics" of GRDB 7).
///
/// The tables are those of `sqlite`, in GRDB's naming: the two differ by the way to them.
public final class SQLiteRecordsBackend: Backend {
  let path: String
  private let patience: Int
  /// A `DatabasePool`, or a `DatabaseQueue` at durability `none`; nil once closed.
  private var database: (any DatabaseWriter)?

  /// Opens or creates `menu.sqlite` in the store's folder and migrates it.
  ///
  /// - Throws: ``StorageError`` where the file is no database, was migrated by a newer program or
  ///   has tables of another's.
  public convenience init(_ store: StoreContext) throws {
    try self.init(store, patience: StoreSettings.busyTimeout)
  }

  /// Waits for a lock as many milliseconds as told.
  init(_ store: StoreContext, patience: Int) throws {
    let path = store.path("menu.sqlite")
    self.path = path
    self.patience = patience
    database = try recording("open", path, patience: patience) {
      try RecordStore.open(path: path, store.durability, patience: patience)
    }
  }

  /// Another handle on the same connections.
  init(sharing database: any DatabaseWriter, of other: SQLiteRecordsBackend) {
    path = other.path
    patience = other.patience
    self.database = database
  }

  /// The menu as records.
  ///
  /// - Throws: ``StorageError`` where an embedded product is not exactly the menu's own of that id:
  ///   a product is one record.
  public func encode(_ document: Menu) throws -> MenuRecords { try MenuRecords(document) }

  /// Deletes all records and inserts the new ones in one transaction; an error leaves the old menu.
  public func write(_ payload: MenuRecords) throws {
    try accessing("write") { try $0.write { try payload.replace(in: $0) } }
  }

  /// Every record, in one transaction.
  public func read() throws -> MenuRecords { try reading { try MenuRecords.fetch($0) } }

  /// The menu that the records hold.
  ///
  /// - Throws: ``StorageError`` where records contradict each other.
  public func decode(_ payload: MenuRecords) throws -> Menu { try payload.whole() }

  /// The bytes of the values bound: 8 for a number, its UTF-8 length for a text, none for NULL.
  public func size(of payload: MenuRecords) -> Size {
    var counter = RecordCounter()
    do {
      try payload.put(into: &counter)
      return .bytes(counter.bytes)
    } catch {
      return .unsupported("a record can't be encoded: \(error)")
    }
  }

  /// The database, its log and the log's index.
  public func storedSize() throws -> Size { try StoreFiles(path: path).size() }

  /// Drops the cached pages of the writer and of the reader; connections and prepared statements stay,
  /// which GRDB's own `releaseMemory` would drop too, and an app keeps.
  public func dropCaches() throws {
    try accessing("drop caches of") { database in
      database.writeWithoutTransaction { _ = sqlite3_db_release_memory($0.sqliteConnection) }
      try database.unsafeRead { _ = sqlite3_db_release_memory($0.sqliteConnection) }
    }
  }

  /// Lets go of the connections: the last handle closes them, readers first and then the writer,
  /// which ends the log. (`DatabasePool.close()` closes the writer first, and the log stays.)
  public func close() throws { database = nil }

  /// Runs a read transaction.
  func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try accessing("read") { try $0.read(body) }
  }

  /// Runs an operation on the database, if it is open.
  func accessing<Result>(
    _ operation: String, _ body: (any DatabaseWriter) throws -> Result
  ) throws -> Result {
    try recording(operation, path, patience: patience) {
      guard let database else { throw SQLiteFailure("the store is closed") }
      return try body(database)
    }
  }
}
