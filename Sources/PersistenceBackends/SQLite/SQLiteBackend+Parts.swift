import GRDB
import MenuModel

extension SQLiteBackend: ProductReading, ComboReading, NameSearching {
  /// The product, by a SELECT a table.
  public func product(_ id: Int) throws -> Product? {
    let parts = try parts()
    return try store.run("read") { _ in try parts.product(id) }
  }

  /// The combo with its options and products, by a SELECT a table.
  public func combo(_ id: Int) throws -> ResolvedCombo? {
    let parts = try parts()
    return try store.run("read") { _ in try parts.combo(id) }
  }

  /// The products found by SQLite's `instr` in the names' keys: every name is looked at.
  public func products(named query: String) throws -> [Int] {
    let parts = try parts()
    let key = NameSearch.key(query)
    return try store.run("search") { _ in try parts.products(named: key) }
  }
}

extension SQLiteBackend: FirstScreenReading {
  /// The rows shown, by a SELECT a table.
  public func firstScreen() throws -> FirstScreen {
    let statements = try screenStatements()
    return try store.run("read") { _ in try statements.screen() }
  }
}

extension SQLiteBackend: MenuPatching {
  /// An UPDATE a change, in one transaction.
  public func apply(_ patch: MenuPatch) throws {
    let parts = try parts()
    try store.transact("write", .immediate) { _ in try parts.patch.apply(patch) }
  }
}

extension SQLiteBackend: ConcurrentReading {
  /// Opens a connection that only reads.
  ///
  /// At `atomic` and `durable` it reads the log's last commit while the other writes, and neither
  /// waits. At `none` there is no log: whoever comes second waits for the other, up to
  /// ``StoreSettings/busyTimeout``. After ``changeSchema(to:)`` readers have to be opened anew.
  public func openReader() throws -> any Backend<Menu> {
    try SQLiteBackend(store.description.reader)
  }
}

extension SQLiteBackend: SchemaChanging {
  /// The version that the database has by now.
  public var schema: Int {
    get throws { try store.run("read") { try MenuSchema.stored(in: $0).version } }
  }

  /// Renames a column, in one transaction, forwards or back: 1 calls the text under a product's name
  /// `details`, 2 `description`, 3 `summary`. No row is written.
  public func changeSchema(to version: Int) throws {
    try store.transact("change the schema of", .immediate) { connection in
      let target = try MenuSchema.version(version)
      try MenuSchema.stored(in: connection).change(to: target, in: connection)
    }
    try prepareStatements(version)
  }
}
