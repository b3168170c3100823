import BackendKit
import GRDB
import MenuModel

/// A model of an object database, as Core Data and Realm are, over SQLite: a table for each kind of
/// object, link tables between them with an index for each direction, and an index for each link to one
/// object, as Core Data makes of itself.
///
/// The two backends of this type differ by their `ObjectAccess`: they have the same schema
/// and read each other's stores. `read` is the database's work, whole: it brings in every object,
/// so that none is left to fault in; `decode` makes the app's own values of them.
package final class ObjectBackend: Backend, ConnectionBackend {
  private let access: ObjectAccess
  /// The database `objects.sqlite` in the store's folder.
  let store: StoreConnection
  private let statements: ObjectStatements

  /// Opens or creates `objects.sqlite` in the store's folder.
  ///
  /// - Throws: ``StoreError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  convenience init(_ store: StoreContext, _ access: ObjectAccess) throws {
    try self.init(
      StoreDescription(
        path: store.path("objects.sqlite"), durability: store.durability,
        schemas: [GraphTable.schema], nameKey: .ofText), access)
  }

  private init(_ description: StoreDescription, _ access: ObjectAccess) throws {
    self.access = access
    store = try StoreConnection(description)
    statements = ObjectStatements(store)
  }

  /// Runs an operation in a transaction of its own, which an error undoes.
  private func transaction<Result>(
    _ operation: String, _ kind: Database.TransactionKind,
    _ body: (ObjectSession) throws -> Result
  ) throws -> Result {
    try store.transact(operation, kind) { connection in
      try body(ObjectSession(connection: connection, statements: statements, access: access))
    }
  }

  /// The menu as objects and links.
  ///
  /// - Throws: ``StoreError`` where something refers to what the menu does not have.
  package func encode(_ document: Menu) throws -> ObjectGraph {
    try GraphBuilder.graph(of: document)
  }

  /// Replaces the old graph in one transaction; an error leaves the old menu.
  package func write(_ payload: ObjectGraph) throws {
    try transaction("write", .immediate) { session in
      switch access {
      case .faulting: try FindOrCreate.save(payload, in: session)
      case .prefetching:
        for table in GraphTable.allCases { try session.deleteAll(table) }
        for rows in payload.tables {
          for row in 0..<rows.count { try session.insert(rows, row) }
        }
      }
    }
  }

  /// Every object and link, in one transaction.
  package func read() throws -> ObjectGraph {
    try transaction("read", .deferred) { session in
      let root = try session.root()
      switch access {
      case .faulting:
        var walk = GraphWalk(session)
        try walk.take(.menu, [root])
        return try walk.finish()
      case .prefetching:
        var graph = ObjectGraph()
        for table in GraphTable.allCases { try session.fetchAll(&graph[table]) }
        return graph
      }
    }
  }

  /// The menu that the objects make up.
  ///
  /// - Throws: ``StoreError`` where a link leads nowhere or an object is linked to by none.
  package func decode(_ payload: ObjectGraph) throws -> Menu {
    var graph = GraphReader(payload)
    return try graph.menu()
  }

  /// The bytes of the values bound: 8 for a number, its UTF-8 length for a text, none for NULL.
  package func size(of payload: ObjectGraph) -> Size { .bytes(payload.bytes) }
}

extension ObjectBackend: ProductReading, ComboReading, MenuPatching, NameSearching,
  ConcurrentReading
{
  /// A product with its parts.
  package func product(_ id: Int) throws -> Product? {
    try transaction("read", .deferred) { session in
      _ = try session.root()
      guard let key = try session.key(.product, id: id) else { return nil }
      var walk = GraphWalk(session)
      try walk.take(.product, [key])
      var graph = GraphReader(try walk.finish())
      return try graph.product(1)
    }
  }

  /// A combo with its slots, their lists' options, and the products that these name.
  package func combo(_ id: Int) throws -> ResolvedCombo? {
    try transaction("read", .deferred) { session in
      _ = try session.root()
      guard let key = try session.key(.combo, id: id) else { return nil }
      var walk = GraphWalk(session)
      try walk.takeResolved([key])
      var graph = GraphReader(try walk.finish())
      return try graph.resolvedCombo(1)
    }
  }

  /// Fetches what the patch names, sets it and saves, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    try transaction("write", .immediate) { try $0.apply(patch) }
  }

  /// Asks SQLite with a function on every name: an object database has no index for pieces of texts.
  package func products(named query: String) throws -> [Int] {
    try transaction("read", .deferred) { try $0.products(named: query) }
  }

  /// A second connection to the database, which only reads.
  package func openReader() throws -> any Backend<Menu> {
    try ObjectBackend(store.description.reader, access)
  }
}

extension ObjectBackend: ProductFiltering {
  /// The objects of the category, by a SELECT for its products, filtered here, as an object database's
  /// results are walked.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    try transaction("read", .deferred) { session in
      let root = try session.root()
      guard let category = try session.key(.category, id: filter.categoryID) else { return [] }
      let shelf = try session.shelf([category], of: root)
      let stops = try session.targets(.menuStopList, of: root)
      var walk = GraphWalk(session)
      try walk.take(.product, shelf)
      var graph = GraphReader(try walk.finish())
      return filter.products(
        among: try walk.keys(of: .product, shelf).map { try graph.product($0) },
        stopList: try session.stopList(stops))
    }
  }
}

extension ObjectBackend: FirstScreenReading {
  /// The objects shown, by the menu's relations and a SELECT for the products of a category.
  package func firstScreen() throws -> FirstScreen {
    try transaction("read", .deferred) { session in
      let root = try session.root()
      let categories = try session.targets(.menuCategories, of: root)
      let shelf = try session.shelf(categories, of: root)
      let combos = Array(try session.targets(.menuCombos, of: root).prefix(FirstScreen.combos))
      var walk = GraphWalk(session)
      try walk.take(.category, categories)
      try walk.take(.product, shelf)
      try walk.takeResolved(combos)
      var graph = GraphReader(try walk.finish())
      return FirstScreen(
        categories: try walk.keys(of: .category, categories).map { try graph.category($0) },
        products: try walk.keys(of: .product, shelf).map { try graph.product($0) },
        combos: try walk.keys(of: .combo, combos).map { try graph.resolvedCombo($0) })
    }
  }
}

/// How objects are brought in and put away.
enum ObjectAccess: Sendable {
  /// Many at once: a SELECT a table for a whole menu, a SELECT a relation for a part of it, and a
  /// menu that replaces another is added after the old one was removed.
  case prefetching
  /// One at a time: a SELECT for every object and every relation that is touched (a fault), and a
  /// SELECT for every object that is saved (find or create).
  case faulting
}

extension BackendEntry where Document == Menu {
  /// `object-graph`: a model of an object database, used as well as it can be.
  public static var objectGraph: Self {
    Self(
      id: "object-graph",
      summary: "a model of an object database by GRDB: a row an object, link tables, prefetched",
      caveat:
        "object-graph models Core Data and Realm over SQLite, and is neither: embedded products "
        + "are objects of their own, links have an index each way, an old graph is deleted kind "
        + "by kind before the new one is inserted",
      flushedFrom: .durable, library: .grdb,
      promises: .durable
    ) { try ObjectBackend($0, .prefetching) }
    .advised([
      Advice(
        "fetch what is needed together, and prefetch relations rather than fault one by one",
        source: ObjectAccess.guide),
      Advice(
        "insert a batch without looking for each object first", source: ObjectAccess.guide,
        here: "followed: the old graph is deleted kind by kind"),
    ])
  }

  /// `object-graph-faulting`: the same store, one object at a time.
  ///
  /// Naive on purpose, for it is what teams leave: `read` follows every relation as app code does
  /// that maps managed objects to its own values, a SELECT for each object and each relation
  /// touched; `write` fetches each object before it saves it. Every statement is prepared once and
  /// goes by an index, so the cost is that of their number: O(n log n), with a large n.
  public static var objectGraphFaulting: Self {
    Self(
      id: "object-graph-faulting",
      summary:
        "a model of an object database, one object at a time: a SELECT a fault, find or create",
      caveat:
        "object-graph-faulting is naive on purpose: it reads by a SELECT for every object and "
        + "relation, and writes by a SELECT for every object, then an UPDATE or INSERT; its "
        + "first write into an empty store inserts everything, later ones update",
      flushedFrom: .durable, library: .grdb,
      promises: .durable
    ) { try ObjectBackend($0, .faulting) }
    .advised([
      Advice(
        "fetch what is needed together, and prefetch relations rather than fault one by one",
        source: ObjectAccess.guide,
        here: "not followed, to show what it costs: that is object-graph")
    ])
  }
}

extension ObjectAccess {
  /// Apple's advice on Core Data, whose shape the two have.
  fileprivate static let guide =
    "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/CoreData/"
    + "Performance.html"
}
