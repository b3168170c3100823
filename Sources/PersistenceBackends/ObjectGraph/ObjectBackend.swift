import GRDB
import MenuModel

/// A menu in the shape of an object database, as Core Data and Realm keep it: a table for each kind
/// of object, link tables between them with an index for each direction.
///
/// What the two backends of this type differ by is the ``ObjectAccess``: they have the same schema
/// and read each other's stores. `read` is the database's work, whole: it brings in every object,
/// so that none is left to fault in; `decode` makes the app's own values of them.
public final class ObjectBackend {
  private let store: StoreContext
  private let access: ObjectAccess
  private let path: String
  private let queue: DatabaseQueue
  private var statements: ObjectStatements? = ObjectStatements()

  /// Opens or creates `objects.sqlite` in the store's folder.
  ///
  /// - Throws: ``StorageError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  init(_ store: StoreContext, _ access: ObjectAccess) throws {
    let path = store.path("objects.sqlite")
    self.store = store
    self.access = access
    self.path = path
    queue = try storing("open", path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(Double(StoreSettings.busyTimeout) / 1_000)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { connection in
        try ObjectSchema.prepare(connection, store.durability)
        try ObjectNameKey.register(on: connection)
      }
      return queue
    }
  }

  /// How many statements were run since the store was opened.
  var executions: Int { statements?.executions ?? 0 }

  /// Runs an operation in a transaction of its own, which an error undoes.
  func transaction<Result>(
    _ operation: String, _ kind: Database.TransactionKind,
    _ body: (ObjectSession) throws -> Result
  ) throws -> Result {
    try storing(operation, path) {
      guard let statements else { throw SQLiteFailure("the store is closed") }
      var result: Result?
      // Not `read`: its query_only pragma makes SQLite prepare every statement anew, every time.
      try queue.inTransaction(kind) { connection in
        result = try body(
          ObjectSession(connection: connection, statements: statements, access: access))
        return .commit
      }
      guard let result else { throw SQLiteFailure("the transaction gave nothing") }
      return result
    }
  }
}

extension ObjectBackend: Backend {
  /// The menu as objects and links.
  ///
  /// - Throws: ``StorageError`` where something refers to what the menu does not have.
  public func encode(_ document: Menu) throws -> ObjectGraph {
    try GraphBuilder.graph(of: document)
  }

  /// Replaces the old graph in one transaction; an error leaves the old menu.
  public func write(_ payload: ObjectGraph) throws {
    try transaction("write", .immediate) { session in
      switch access {
      case .faulting: try FindOrCreate.save(payload, in: session)
      case .prefetching:
        for table in ObjectGraph.tables { try table.delete(session) }
        for table in ObjectGraph.tables { try table.insert(payload, session) }
      }
    }
  }

  /// Every object and link, in one transaction.
  public func read() throws -> ObjectGraph {
    try transaction("read", .deferred) { session in
      let root = try session.root()
      switch access {
      case .faulting:
        var walk = GraphWalk(session)
        try walk.take(MenuObject.self, [root])
        return try walk.finish()
      case .prefetching:
        var graph = ObjectGraph()
        for table in ObjectGraph.tables { try table.select(&graph, session) }
        return graph
      }
    }
  }

  /// The menu that the objects make up.
  ///
  /// - Throws: ``StorageError`` where a link leads nowhere or an object is linked to by none.
  public func decode(_ payload: ObjectGraph) throws -> Menu {
    var graph = payload
    return try graph.menu()
  }

  /// The bytes of the values bound: 8 for a number, its UTF-8 length for a text, none for NULL.
  public func size(of payload: ObjectGraph) -> Size { .bytes(payload.bytes) }

  /// The database, its log and the log's index.
  public func storedSize() throws -> Size { try StoreFiles(path: path).size() }

  /// Drops SQLite's cached pages; the statements stay prepared.
  public func dropCaches() throws { queue.releaseMemory() }

  /// Finalises the statements and closes the connection, which ends the log.
  public func close() throws {
    statements = nil
    try storing("close", path) { try queue.close() }
  }
}

extension ObjectBackend: ProductReading, ComboReading, MenuPatching, NameSearching,
  ConcurrentReading
{
  /// A product with its parts.
  public func product(_ id: Int) throws -> Product? {
    try transaction("read", .deferred) { session in
      _ = try session.root()
      guard let key = try session.key(ProductObject.self, id: id) else { return nil }
      var walk = GraphWalk(session)
      try walk.take(ProductObject.self, [key])
      var graph = try walk.finish()
      return try graph.product(1)
    }
  }

  /// A combo with its slots, their lists' options, and the products that these name.
  public func combo(_ id: Int) throws -> ResolvedCombo? {
    try transaction("read", .deferred) { session in
      _ = try session.root()
      guard let key = try session.key(ComboObject.self, id: id) else { return nil }
      var walk = GraphWalk(session)
      try walk.takeResolved([key])
      var graph = try walk.finish()
      return try graph.resolvedCombo(1)
    }
  }

  /// Fetches what the patch names, sets it and saves, in one transaction.
  public func apply(_ patch: MenuPatch) throws {
    try transaction("write", .immediate) { try $0.apply(patch) }
  }

  /// Asks SQLite with a function on the name.
  public func products(named query: String) throws -> [Int] {
    try transaction("read", .deferred) { try $0.products(named: query) }
  }

  /// A second connection to the database.
  public func openReader() throws -> any Backend<Menu> { try ObjectBackend(store, access) }
}
