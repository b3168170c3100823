import GRDB
import GRDBSQLite
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite-document`: a row an entity, JSON text, by GRDB.
  public static var sqliteDocument: Self {
    Self(
      id: "sqlite-document",
      summary: "SQLite by GRDB: a row an entity, JSON text with generated columns and indexes",
      caveat: "sqlite-document copies its log into the database as sqlite does, and finds what a "
        + "price change touches by an index of variants that every write fills",
      library: .grdb,
      promises: [.atomic, .durable, .partialRead, .query, .concurrentReader]
    ) { try SQLiteDocumentBackend($0) }
  }
}

/// A menu as JSON documents in one SQLite table.
///
/// GRDB opens, sets up and serialises the one connection and runs the transactions; statements are
/// prepared once and run through SQLite's C API, as in ``SQLiteBackend``.
public final class SQLiteDocumentBackend: Backend {
  private let store: StoreContext
  private let path: String
  private let queue: DatabaseQueue
  private let coder = EntityCoder()
  private var prepared: Prepared?

  /// GRDB's statements, which finalise themselves, and our hold on them.
  private struct Prepared {
    let owners: [Statement]
    let statements: DocumentStatements
  }

  /// Opens or creates `menu.sqlite` in the store's folder.
  ///
  /// - Throws: ``StorageError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  public init(_ store: StoreContext) throws {
    let path = store.path("menu.sqlite")
    self.store = store
    self.path = path
    (queue, prepared) = try storing("open", path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(Double(StoreSettings.busyTimeout) / 1_000)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let prepared = try queue.writeWithoutTransaction { connection in
        let isMissing = try DocumentSchema.isMissing(in: connection)
        try StoreSettings(store.durability).apply(to: connection)
        try NameKeyFunction.register(on: connection.sqliteConnection)
        if isMissing { try DocumentSchema.create(in: connection) }
        return try Self.prepare(on: connection)
      }
      return (queue, prepared)
    }
  }

  /// The menu as entities in JSON.
  public func encode(_ document: Menu) throws -> MenuEntities { try MenuEntities(document, coder) }

  /// Replaces the rows of the old menu in one transaction; an error leaves the old menu.
  public func write(_ payload: MenuEntities) throws {
    try inTransaction("write", .immediate) { try $0.replace(with: payload) }
  }

  /// Every row, in one transaction.
  public func read() throws -> MenuEntities {
    try inTransaction("read", .deferred) { try $0.fetch() }
  }

  /// The menu that the entities hold.
  ///
  /// - Throws: ``StorageError`` where one is no JSON of its kind, or is missing.
  public func decode(_ payload: MenuEntities) throws -> Menu { try Menu(payload, coder) }

  /// The bytes of the JSON.
  public func size(of payload: MenuEntities) -> Size { .bytes(payload.bytes) }

  /// The database, its log and the log's index.
  public func storedSize() throws -> Size { try StoreFiles(path: path).size() }

  /// Drops SQLite's cached pages; the statements stay prepared.
  public func dropCaches() throws { queue.releaseMemory() }

  /// Finalises the statements and closes the connection, which ends the log.
  public func close() throws {
    prepared = nil
    try storing("close", path) { try queue.close() }
  }

  /// The first column of a query, for who checks the store.
  func texts(_ sql: String) throws -> [String] {
    try storing("read", path) { try queue.writeWithoutTransaction { try $0.texts(sql) } }
  }

  /// Lets SQLite take no row longer than that, for who tests what happens then.
  func limitRows(to length: Int32) throws {
    try storing("limit", path) {
      queue.writeWithoutTransaction {
        _ = sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_LENGTH, length)
      }
    }
  }

  private func inTransaction<Result>(
    _ operation: String, _ kind: Database.TransactionKind,
    _ body: (DocumentStatements) throws -> Result
  ) throws -> Result {
    try storing(operation, path) {
      guard let prepared else { throw SQLiteFailure("the store is closed") }
      var result: Result?
      try queue.inTransaction(kind) { _ in
        result = try body(prepared.statements)
        return .commit
      }
      guard let result else { throw SQLiteFailure("the transaction gave nothing") }
      return result
    }
  }

  private static func prepare(on connection: Database) throws -> Prepared {
    var owners: [Statement] = []
    let statements = try DocumentStatements { sql in
      // GRDB's cache is what prepares persistent statements; it may forget them, we don't.
      let statement = try connection.cachedStatement(sql: sql)
      owners.append(statement)
      return statement.sqliteStatement
    }
    return Prepared(owners: owners, statements: statements)
  }
}

extension SQLiteDocumentBackend: ProductReading, ComboReading, MenuPatching, NameSearching {
  /// The product's row, decoded.
  public func product(_ id: Int) throws -> Product? {
    try part { try $0.product(id, coder) }
  }

  /// The combo's row and those of its lists and products, decoded, in one transaction.
  public func combo(_ id: Int) throws -> ResolvedCombo? {
    try part { try $0.combo(id, coder) }
  }

  /// Changes the JSON of the rows that hold what the patch names, in one transaction.
  public func apply(_ patch: MenuPatch) throws {
    try inTransaction("patch", .immediate) {
      try $0.checkWritten()
      try $0.patching.apply(patch)
    }
  }

  /// A walk through the index of names; no row is read.
  public func products(named query: String) throws -> [Int] {
    try inTransaction("search", .deferred) { statements in
      try statements.checkWritten()
      return try statements.products(withKey: NameSearch.key(query))
    }
  }

  private func part<Part>(_ body: (DocumentStatements) throws -> Part?) throws -> Part? {
    try inTransaction("read", .deferred) { statements in
      if let part = try body(statements) { return part }
      try statements.checkWritten()
      return nil
    }
  }
}

extension SQLiteDocumentBackend: FirstScreenReading {
  /// The rows shown, decoded, in one transaction; an index leads to the products of the shelf.
  public func firstScreen() throws -> FirstScreen {
    try inTransaction("read", .deferred) { statements in
      try statements.checkWritten()
      return try statements.firstScreen(coder)
    }
  }
}

extension SQLiteDocumentBackend: ConcurrentReading {
  /// A second connection. While durability is `none` there is no log: it waits for a writer, and a
  /// writer for it, but sees no torn menu either.
  public func openReader() throws -> any Backend<Menu> { try SQLiteDocumentBackend(store) }
}
