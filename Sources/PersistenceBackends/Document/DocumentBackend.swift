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
      promises: .durable
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

extension SQLiteDocumentBackend: Compacting {
  /// By VACUUM and a checkpoint that empties the log.
  public func compact() throws {
    try storing("compact", path) { try queue.writeWithoutTransaction { try $0.compact() } }
  }
}

/// The schema of a document store: a row an entity, and an index of what patches look for.
///
/// Text functions of SQLite's JSON only: 3.40 has no JSONB. `json_extract` ends a text at its first
/// NUL (seen in 3.40.1), so names are taken as JSON, by `->`, which copies the text as it stands.
enum DocumentSchema {
  /// Kept in the database's `user_version`; grows with every change of a table.
  static let version = 1
  /// Kept in the database's `application_id`: `MBED` in ASCII.
  static let application = 0x4D42_4544

  /// Checks a database before anything of it is changed.
  ///
  /// - Returns: whether it is empty and wants its tables.
  /// - Throws: ``SQLiteFailure`` where it is of another version, another backend's or anybody's.
  static func isMissing(in connection: some SQLConnection) throws -> Bool {
    let owner = try connection.texts("PRAGMA application_id").first ?? ""
    let stored = try connection.texts("PRAGMA user_version").first ?? ""
    let objects = try connection.texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    if owner == "0", stored == "0", objects.isEmpty { return true }
    guard owner == String(application), let number = Int(stored), number >= version else {
      throw SQLiteFailure(
        "not a document store: application \(owner), schema \(stored), \(names(objects))")
    }
    guard number == version else {
      throw SQLiteFailure(
        "its schema is \(number), newer than \(version), which this program knows")
    }
    let foreign = Set(objects).symmetricDifference(statements)
    guard foreign.isEmpty else {
      throw SQLiteFailure("its tables are not those of schema \(version): \(names(foreign))")
    }
    return false
  }

  /// Makes the tables, all or none.
  static func create(in connection: some SQLConnection) throws {
    try connection.run("BEGIN IMMEDIATE")
    do {
      for statement in statements { try connection.run(statement) }
      try connection.run("PRAGMA application_id = \(application)")
      try connection.run("PRAGMA user_version = \(version)")
      try connection.run("COMMIT")
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  /// Generated columns look at products alone: SQLite computes them for every row inserted, and
  /// nobody asks for a combo's.
  private static let statements = [
    """
    CREATE TABLE entity (place INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id INTEGER NOT NULL, \
    position INTEGER NOT NULL, body TEXT NOT NULL, \
    name_key TEXT AS (CASE kind WHEN \(product) THEN name_key(body -> '$.name') END) VIRTUAL, \
    category_id INTEGER AS \
    (CASE kind WHEN \(product) THEN json_extract(body, '$.categoryID') END) VIRTUAL, \
    availability TEXT AS \
    (CASE kind WHEN \(product) THEN json_extract(body, '$.availability') END) VIRTUAL) STRICT
    """,
    "CREATE UNIQUE INDEX entity_key ON entity (kind, id, position)",
    "CREATE INDEX entity_name ON entity (name_key, id) WHERE kind = \(product)",
    "CREATE INDEX entity_shelf ON entity (category_id, availability) WHERE kind = \(product)",
    """
    CREATE TABLE holder (held INTEGER NOT NULL, id INTEGER NOT NULL, entity INTEGER NOT NULL, \
    PRIMARY KEY (held, id, entity)) STRICT, WITHOUT ROWID
    """,
  ]

  private static var product: UInt8 { EntityKind.product.rawValue }

  /// `the tables a, b` by the third words of `CREATE TABLE name (…)`.
  private static func names(_ creations: some Collection<String>) -> String {
    let names = creations.compactMap { creation in
      creation.split(maxSplits: 4) { $0 == " " || $0 == "(" || $0 == "\n" }
        .first { !["CREATE", "TABLE", "UNIQUE", "INDEX"].contains($0) }
    }
    return names.isEmpty
      ? "no tables" : "the tables \(Set(names).sorted().joined(separator: ", "))"
  }
}
