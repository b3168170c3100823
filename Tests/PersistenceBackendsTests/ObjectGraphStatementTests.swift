import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

/// Small generated menus.
enum ObjectFixtures {
  static let shared = menu("products=12,combos=4,slots=3,options=5,seed=7")
  /// The founding case: every slot has options of its own, every option a copy of its product.
  static let repeated = menu(
    "products=12,combos=4,slots=3,options=5,lists=repeated,embed=yes,seed=7")

  private static func menu(_ shape: String) -> Menu {
    guard let shape = try? MenuShape(parsing: shape) else {
      Issue.record("no such shape: \(shape)")
      return Fixtures.bare
    }
    return Menu(shape: shape)
  }
}

@Suite("The statements of the object-graph backends")
struct ObjectGraphStatementTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func executions(
    of backend: ObjectBackend, _ body: (ObjectBackend) throws -> Void
  ) throws -> Int {
    let before = try backend.store.runs()
    try body(backend)
    return try backend.store.runs() - before
  }

  @Test(
    "prefetched: one for each table to read a menu, and a bounded number for a part of any size")
  func prefetching() throws {
    let backend = try ObjectBackend(folder.store(.none), .prefetching)
    let menu = ObjectFixtures.repeated
    try replace(menu, in: backend)
    #expect(GraphTable.kinds.count == 22)
    #expect(GraphTable.allCases.count == 22 + 22)
    #expect(try executions(of: backend) { _ = try $0.read() } == 1 + 44)
    for product in menu.products {
      let runs = try executions(of: backend) { _ = try $0.product(product.id) }
      #expect(runs <= 23)
    }
    for combo in menu.combos {
      let runs = try executions(of: backend) { _ = try $0.combo(combo.id) }
      #expect(runs <= 46)
    }
    // Five for the menu, its relations and its first category, and one for each kind of object on
    // the screen and for the links to variants. Each empty category before takes one more.
    let empty = menu.categories.prefix { category in
      !menu.products.contains { $0.stands(in: category.id) }
    }.count
    #expect(try executions(of: backend) { _ = try $0.firstScreen() } == 10 + empty)
    try backend.close()
  }

  @Test("faulting: one for the root, each object and each relation of each object")
  func faulting() throws {
    let backend = try ObjectBackend(folder.store(.none), .faulting)
    for menu in [Fixtures.full, ObjectFixtures.shared, ObjectFixtures.repeated] {
      let graph = try backend.encode(menu)
      try backend.write(graph)
      let faults = objects(graph) + relations(graph)
      #expect(try executions(of: backend) { _ = try $0.read() } == 1 + faults)
    }
    try backend.close()
  }

  @Test("find or create: a SELECT and a save for each object, and its links removed and added")
  func findOrCreate() throws {
    let backend = try ObjectBackend(folder.store(.none), .faulting)
    let graph = try backend.encode(ObjectFixtures.repeated)
    let once = 2 * objects(graph) + relations(graph) + links(graph) + 2 * GraphTable.kinds.count
    #expect(try executions(of: backend) { try $0.write(graph) } == once)
    #expect(try executions(of: backend) { try $0.write(graph) } == once)
    // Another menu of nothing: each object is deleted by itself, after each of its relations.
    let other = try backend.encode(Menu(Fixtures.bare, id: -1))
    let change = objects(graph) + relations(graph)
    #expect(
      try executions(of: backend) { try $0.write(other) }
        == 2 + 9 + change + 2 * GraphTable.kinds.count)
    try backend.close()
  }

  private func objects(_ graph: ObjectGraph) -> Int {
    graph.tables.prefix(GraphTable.kinds.count).reduce(0) { $0 + $1.count }
  }

  private func links(_ graph: ObjectGraph) -> Int {
    graph.tables.dropFirst(GraphTable.kinds.count).reduce(0) { $0 + $1.count }
  }

  /// How many relations all objects have.
  private func relations(_ graph: ObjectGraph) -> Int {
    9 * graph[.menu].count + graph[.modifierGroup].count + 2 * graph[.modifierOption].count
      + graph[.combo].count + graph[.optionList].count + 7 * graph[.product].count
      + graph[.variant].count
  }

  /// The fourth column of a query plan's row.
  private func detail(_ row: inout RowReader) throws -> String {
    for _ in 0..<3 { _ = row.int() }
    return try row.text()
  }

  @Test("use an index, in both directions")
  func indexes() throws {
    try ObjectBackend(folder.store(.none), .faulting).close()
    let connection = try CConnection(path: folder.path + "/objects.sqlite")
    for table in GraphTable.allCases.map(\.shape.table) {
      let isObject = table.key == ["pk"]
      let conditions = isObject ? ["pk = 1", "id = 1 AND owner = 1"] : ["source = 1"]
      for condition in conditions + table.indexes.map({ "\($0) = 1" }) {
        let statement = try connection.prepare(
          "EXPLAIN QUERY PLAN SELECT * FROM \(table.name) WHERE \(condition)")
        let plan = try statement.rows({ _ in }, detail)
        #expect(plan.count == 1)
        #expect(plan.first?.hasPrefix("SEARCH \(table.name) USING ") == true)
      }
    }
    connection.close()
  }
}

@Suite("The indexes of the object-graph backends")
struct ObjectGraphIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("exist for each link to one object, as in Core Data, and for the target of each relation")
  func links() {
    let indexes = GraphTable.allCases.map(\.shape.table).map { table in
      table.indexes.map { table.index(on: $0) }
    }
    #expect(
      indexes.prefix(GraphTable.kinds.count).flatMap { $0 } == [
        "category_parent", "modifier_option_ingredient", "slot_shared_list", "slot_own_list",
        "slot_default_product", "slot_option_product", "slot_option_variant", "slot_option_copy",
        "product_category", "product_ingredient_ingredient", "variant_nutrition",
        "nutrition_per_100g", "nutrition_whole",
      ])
    #expect(indexes.dropFirst(GraphTable.kinds.count).allSatisfy { $0.count == 1 })
  }

  @Test("lead to the products of a shelf")
  func shelf() throws {
    let backend = try ObjectBackend(folder.store(), .prefetching)
    try replace(Fixtures.full, in: backend)
    let plan = try backend.store.plan(of: ObjectSession.shelf)
    #expect(plan.contains("SEARCH product USING COVERING INDEX product_category (category=?)"))
    #expect(!plan.contains { $0.hasPrefix("SCAN") })
    #expect(try backend.firstScreen().products == Fixtures.full.firstScreen().products)
    try backend.close()
  }

  @Test("are part of the schema: a store without one is refused with the index's name")
  func missing() throws {
    let first = try ObjectBackend(folder.store(), .prefetching)
    try replace(Fixtures.full, in: first)
    try first.close()
    let connection = try CConnection(path: folder.path + "/objects.sqlite")
    try connection.run("DROP INDEX product_category")
    connection.close()
    let error = #expect(throws: StoreError.self) {
      _ = try ObjectBackend(folder.store(), .prefetching)
    }
    #expect(error?.reason == "its tables are not those of schema 2: product_category")
  }
}

extension Menu {
  fileprivate init(_ menu: Menu, id: Int) {
    self = menu
    self.id = id
  }
}
