import GRDB
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite`: a normalised schema, by GRDB.
  public static var sqlite: Self {
    Self(
      id: "sqlite", summary: "SQLite by GRDB: a table a thing, foreign keys, one transaction",
      caveat:
        "sqlite copies its log into the database in the commit that takes it past 1,000 pages: "
        + "most writes do not pay for it, so see mean and max too"
    ) { try SQLiteBackend($0) }
  }
}

/// A menu in a normalised SQLite database: a table for each kind of thing and each of its lists.
///
/// GRDB opens, sets up and serialises the one connection and runs the transactions; rows are bound
/// and read through SQLite's C API, on statements prepared once. A database holds one menu.
public final class SQLiteBackend: NativeFloorBackend {
  private let path: String
  private let queue: DatabaseQueue
  private var prepared: Prepared?

  /// GRDB's statements, which finalise themselves, and our hold on them.
  private struct Prepared {
    let owners: [Statement]
    let statements: MenuStatements
  }

  /// Opens or creates `menu.sqlite` in the store's folder.
  ///
  /// - Throws: ``StorageError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  public init(_ store: StoreContext) throws {
    let path = store.path("menu.sqlite")
    self.path = path
    (queue, prepared) = try storing("open", path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(Double(StoreSettings.busyTimeout) / 1_000)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let prepared = try queue.writeWithoutTransaction { connection in
        try connection.prepareStore(store.durability)
        return try Self.prepare(on: connection)
      }
      return (queue, prepared)
    }
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
    try storing("write", path) {
      let statements = try statements()
      try queue.inTransaction(.immediate) { _ in
        try statements.replace(with: payload)
        return .commit
      }
    }
  }

  /// Every row, a SELECT a table, in one transaction.
  public func read() throws -> MenuRows {
    try storing("read", path) {
      let statements = try statements()
      var rows = MenuRows()
      // Not `read`: its query_only pragma makes SQLite prepare every statement anew, every time.
      try queue.inTransaction(.deferred) { _ in
        rows = try statements.fetch().written()
        return .commit
      }
      return rows
    }
  }

  /// The menu that the rows hold.
  ///
  /// - Throws: ``StorageError`` where rows contradict each other.
  public func decode(_ payload: MenuRows) throws -> Menu { try Menu(payload) }

  /// The bytes of the values bound: 8 for a number, its UTF-8 length for a text, none for NULL.
  public func size(of payload: MenuRows) -> Size { .bytes(payload.bytes) }

  /// The database, its log and the log's index.
  public func storedSize() throws -> Size { try StoreFiles(path: path).size() }

  /// Drops SQLite's cached pages; the statements stay prepared.
  public func dropCaches() throws { queue.releaseMemory() }

  /// Finalises the statements and closes the connection, which ends the log.
  public func close() throws {
    prepared = nil
    try storing("close", path) { try queue.close() }
  }

  /// `c`: SQLite's C API.
  public var nativeFloorID: String { "c" }

  /// Opens the same statements through SQLite's C API, on a database of their own.
  public func openNativeFloor(_ store: StoreContext) throws -> any NativeFloor<MenuRows> {
    try SQLiteCFloor(store)
  }

  /// The first column of a query, for who checks the store.
  func texts(_ sql: String) throws -> [String] {
    try storing("read", path) { try queue.writeWithoutTransaction { try $0.texts(sql) } }
  }

  private func statements() throws -> MenuStatements {
    guard let prepared else { throw SQLiteFailure("the store is closed") }
    return prepared.statements
  }

  private static func prepare(on connection: Database) throws -> Prepared {
    var owners: [Statement] = []
    let statements = try MenuStatements { sql in
      // GRDB's cache is what prepares persistent statements; it may forget them, we don't.
      let statement = try connection.cachedStatement(sql: sql)
      owners.append(statement)
      return statement.sqliteStatement
    }
    return Prepared(owners: owners, statements: statements)
  }
}
