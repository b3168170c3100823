import GRDB
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite`: a normalised schema, by GRDB.
  public static var sqlite: Self {
    Self(
      id: "sqlite", summary: "SQLite by GRDB: a table a thing, foreign keys, one transaction",
      caveat:
        "sqlite copies its log into the database in the commit that takes it past 1,000 pages: "
        + "most writes do not pay for it, so see mean and max too",
      library: .grdb, promises: Set(StoragePromise.allCases)
    ) { try SQLiteBackend($0) }
  }
}

/// A menu in a normalised SQLite database: a table for each kind of thing and each of its lists.
///
/// GRDB opens, sets up and serialises the one connection and runs the transactions; rows are bound
/// and read through SQLite's C API, on statements prepared once. A database holds one menu.
public final class SQLiteBackend: NativeFloorBackend {
  let store: StoreConnection
  private var statements: MenuStatements
  /// Prepared with the first use, which a round trip never makes.
  private var partStatements: PartStatements?
  private var screen: ScreenStatements?

  /// Opens or creates `menu.sqlite` in the store's folder.
  ///
  /// - Throws: ``StorageError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  public convenience init(_ store: StoreContext) throws {
    try self.init(Self.description(store))
  }

  init(_ description: StoreDescription) throws {
    store = try StoreConnection(description)
    statements = try Self.statements(store, store.version)
  }

  /// The menu as rows.
  ///
  /// - Throws: ``StorageError`` where an embedded product is not exactly the menu's own of that id:
  ///   the schema keeps a product once.
  public func encode(_ document: Menu) throws -> MenuRows { try MenuRows(document) }

  /// Replaces the rows of the old menu in one transaction; an error leaves the old menu.
  ///
  /// SQLite's automatic checkpoint runs within the commit that takes the log past 1,000 pages.
  public func write(_ payload: MenuRows) throws {
    try store.transact("write", .immediate) { _ in try statements.replace(with: payload) }
  }

  /// Every row, a SELECT a table, in one transaction.
  public func read() throws -> MenuRows {
    var rows = MenuRows()
    // Not GRDB's `read`: its query_only pragma makes SQLite prepare every statement anew, every time.
    try store.transact("read", .deferred) { _ in rows = try statements.fetch().written() }
    return rows
  }

  /// The menu that the rows hold.
  ///
  /// - Throws: ``StorageError`` where rows contradict each other.
  public func decode(_ payload: MenuRows) throws -> Menu { try Menu(payload) }

  /// The bytes of the values bound: 8 for a number, its UTF-8 length for a text, none for NULL.
  public func size(of payload: MenuRows) -> Size { .bytes(payload.bytes) }

  /// The database, its log and the log's index.
  public func storedSize() throws -> Size { try store.storedSize() }

  /// Drops SQLite's cached pages; the statements stay prepared.
  public func dropCaches() throws { store.releaseMemory() }

  /// Finalises the statements and closes the connection, which ends the log.
  public func close() throws { try store.close() }

  /// `c`: SQLite's C API.
  public var nativeFloorID: String { "c" }

  /// Opens the same statements through SQLite's C API, on a database of their own.
  public func openNativeFloor(_ store: StoreContext) throws -> any NativeFloor<MenuRows> {
    try SQLiteCFloor(store)
  }

  /// The statements of parts, prepared if they aren't yet.
  func parts() throws -> PartStatements {
    if let partStatements { return partStatements }
    let schema = statements.schema
    let parts = try store.prepare { try PartStatements(schema, prepare: $0) }
    partStatements = parts
    return parts
  }

  /// The statements of the first screen, prepared if they aren't yet.
  func screenStatements() throws -> ScreenStatements {
    if let screen { return screen }
    let schema = statements.schema
    let prepared = try store.prepare { try ScreenStatements(schema, prepare: $0) }
    screen = prepared
    return prepared
  }

  /// Prepares the statements of another schema.
  func prepareStatements(_ version: Int) throws {
    statements = try Self.statements(store, version)
    partStatements = nil
    screen = nil
  }

  /// What a store of menus is.
  static func description(_ store: StoreContext) -> StoreDescription {
    StoreDescription(
      path: store.path("menu.sqlite"), durability: store.durability, schemas: MenuSchema.stores,
      functions: [NameQuery.function])
  }

  private static func statements(
    _ store: StoreConnection, _ version: Int
  ) throws -> MenuStatements {
    try store.prepare { try MenuStatements(MenuSchema.version(version), prepare: $0) }
  }
}
