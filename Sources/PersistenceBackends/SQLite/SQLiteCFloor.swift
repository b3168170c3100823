/// The `sqlite` backend's statements and rows through SQLite's C API, with no GRDB in between.
///
/// Its connection has the same flags, pragmas and schema; what the two differ by is what GRDB costs.
final class SQLiteCFloor: NativeFloor {
  private let path: String
  private let connection: CConnection
  private let statements: MenuStatements

  /// Opens or creates a store.
  init(_ store: StoreContext) throws {
    let path = store.path("menu-c.sqlite")
    self.path = path
    (connection, statements) = try storing("open", path) {
      let connection = try CConnection(path: path)
      let version = try connection.prepareStore(store.durability, MenuSchema.stores)
      let schema = try MenuSchema.version(version)
      return (connection, try MenuStatements(schema, prepare: connection.prepare))
    }
  }

  func write(_ payload: MenuRows) throws {
    try storing("write", path) {
      try connection.inTransaction("IMMEDIATE TRANSACTION") {
        try statements.replace(with: payload)
      }
    }
  }

  func read() throws -> MenuRows {
    try storing("read", path) {
      try connection.inTransaction("DEFERRED TRANSACTION") { try statements.fetch().written() }
    }
  }

  func dropCaches() throws { connection.releaseMemory() }

  func close() throws { connection.close() }

  /// The first column of a query, for who checks the store.
  func texts(_ sql: String) throws -> [String] { try connection.texts(sql) }
}
