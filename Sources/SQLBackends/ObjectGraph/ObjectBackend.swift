import BackendKit
import GRDB
import MenuModel

/// A model of an object database such as Core Data or Realm, over SQLite. It has a table for each kind
/// of object, link tables with an index for each direction, and an index for each to-one link, as Core
/// Data creates it.
///
/// The two backends of this type differ in their `ObjectAccess`. They have the same schema and read
/// each other's stores. `read` fetches every object, so that none is left to fault in. `decode` builds
/// the app's own values from them.
package final class ObjectBackend: Backend, ConnectionBackend {
  private let access: ObjectAccess
  let store: StoreConnection
  private let statements: ObjectStatements

  /// Opens or creates `objects.sqlite` in the store's folder.
  ///
  /// - Throws: ``StoreError`` if the file is not a database, has a newer or unknown schema, or has
  ///   the tables of another backend or program.
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

  /// Runs an operation in its own transaction. An error rolls it back.
  private func transaction<Result>(
    _ operation: String, _ kind: Database.TransactionKind,
    _ body: (ObjectSession) throws -> Result
  ) throws -> Result {
    try store.transact(operation, kind) { connection in
      try body(ObjectSession(connection: connection, statements: statements, access: access))
    }
  }

  /// Converts the menu into objects and links.
  ///
  /// - Throws: ``StoreError`` if the menu lacks something that it refers to.
  package func encode(_ document: Menu) throws -> ObjectGraph {
    try GraphBuilder.graph(of: document)
  }

  /// Replaces the old graph in one transaction. After an error the old menu is still there.
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

  /// Reads every object and link in one transaction.
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

  /// Builds the menu from its objects.
  ///
  /// - Throws: ``StoreError`` if a link leads nowhere or no link leads to an object.
  package func decode(_ payload: ObjectGraph) throws -> Menu {
    var graph = GraphReader(payload)
    return try graph.menu()
  }

  /// The bytes of the values bound: 8 for a number, the UTF-8 length of a text, 0 for NULL.
  package func size(of payload: ObjectGraph) -> Size { .bytes(payload.bytes) }
}

extension ObjectBackend: ProductReading, ComboReading, MenuPatching, NameSearching,
  ConcurrentReading
{
  /// Reads a product with its parts.
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

  /// Reads a combo with its slots, their options and the options' products.
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

  /// Fetches the objects in the patch, changes and saves them, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    try transaction("write", .immediate) { try $0.apply(patch) }
  }

  /// Calls an SQL function on every name, because an object database has no index for parts of texts.
  package func products(named query: String) throws -> [Int] {
    try transaction("read", .deferred) { try $0.products(named: query) }
  }

  /// Opens a second connection to the database, which only reads.
  package func openReader() throws -> any Backend<Menu> {
    try ObjectBackend(store.description.reader, access)
  }
}

extension ObjectBackend: ProductFiltering {
  /// Fetches the category's products with one SELECT and filters them in Swift, as an app walks the
  /// results of an object database.
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
  /// Fetches the objects on the screen along the menu's relations, and a category's products by SELECT.
  /// Of the parts of those it fetches only the variants, which have the prices and pictures.
  package func firstScreen() throws -> FirstScreen {
    try transaction("read", .deferred) { session in
      let root = try session.root()
      let categories = try session.targets(.menuCategories, of: root)
      let shelf = try session.shelf(categories, of: root)
      let combos = Array(try session.targets(.menuCombos, of: root).prefix(FirstScreen.combos))
      var graph = ObjectGraph()
      try session.fetch(categories.sorted(), into: &graph[.category])
      try session.fetch(shelf.sorted(), into: &graph[.product])
      try session.fetch(shelf.sorted(), into: &graph[.productVariants])
      let links = graph[.productVariants]
      let variants = (0..<links.count).map { links.target(of: $0) }
      try session.fetch(variants.sorted(), into: &graph[.variant])
      try session.fetch(combos.sorted(), into: &graph[.combo])
      var reader = GraphReader(graph)
      return FirstScreen(
        categories: try categories.map { try reader.category($0) },
        products: try shelf.map { try reader.card(ofProduct: $0) },
        combos: try combos.map { FirstScreen.Card(try reader.combo($0)) })
    }
  }
}

/// The way in which objects are fetched and saved.
enum ObjectAccess: Sendable {
  /// Fetches many objects at once: a SELECT per table for a whole menu, a SELECT per relation for a
  /// part of it. A write deletes the old menu and inserts the new one.
  case prefetching
  /// Fetches one object at a time: a SELECT for every object and relation that is touched (a fault).
  /// A write fetches every object before it saves it (find or create).
  case faulting
}

extension BackendEntry where Document == Menu {
  /// `object-graph`: a model of an object database, used as efficiently as possible.
  public static var objectGraph: Self {
    Self(
      id: "object-graph",
      summary: "a model of an object database by GRDB: row per object, link tables, prefetched",
      caveat:
        "object-graph models Core Data and Realm over SQLite, but is not either. Embedded products "
        + "are separate objects, and links have an index each way. The old graph is deleted kind "
        + "by kind before the new one is inserted. It asks for a list of keys even for one object, "
        + "so one product costs more than with object-graph-faulting",
      flushedFrom: .durable, library: .grdb,
      promises: .durable
    ) { try ObjectBackend($0, .prefetching) }
    .noted(ObjectAccess.note).advised([
      Advice(
        "fetch what is needed together, and prefetch relations rather than fault one by one",
        source: ObjectAccess.guide),
      Advice(
        "insert a batch without looking for each object first", source: ObjectAccess.guide,
        here: "followed: the old graph is deleted kind by kind"),
    ])
  }

  /// `object-graph-faulting`: the same store, accessed one object at a time.
  ///
  /// It is naive on purpose and models the code that teams migrate from. `read` follows every relation,
  /// as an app does that maps managed objects to its own values: a SELECT for each object and relation.
  /// `write` fetches each object before it saves it. Every statement is prepared once and uses an
  /// index, so the cost comes from their number: O(n log n) with a large n.
  public static var objectGraphFaulting: Self {
    Self(
      id: "object-graph-faulting",
      summary:
        "a model of an object database, one object at a time: SELECT per fault, find or create",
      caveat:
        "object-graph-faulting is naive on purpose. It reads with a SELECT for each object and "
        + "relation. It writes with a SELECT for each object, then an UPDATE or INSERT. The first "
        + "write into an empty store inserts everything, and later ones update",
      flushedFrom: .durable, library: .grdb,
      promises: .durable
    ) { try ObjectBackend($0, .faulting) }
    .noted(ObjectAccess.note).advised([
      Advice(
        "fetch what is needed together, and prefetch relations rather than fault one by one",
        source: ObjectAccess.guide,
        here: "not followed, to show the cost: object-graph follows it")
    ])
  }
}

extension ObjectAccess {
  /// Apple's performance guide for Core Data, which both backends model.
  fileprivate static let guide =
    "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/CoreData/"
    + "Performance.html"

  fileprivate static let note = "a model of an object database on GRDB, not Core Data or Realm"
}
