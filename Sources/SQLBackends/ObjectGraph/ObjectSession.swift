import BackendKit
import GRDB
import MenuModel

/// Objects and links in a transaction.
struct ObjectSession {
  let connection: Database
  let statements: ObjectStatements
  let access: ObjectAccess

  /// Objects by their keys, in the order of the keys where they come in one SELECT.
  ///
  /// - Throws: ``SQLiteFailure`` where one does not exist.
  func objects<Object: StoredObject>(
    _ type: Object.Type, _ keys: [Int]
  ) throws -> [Stored<Object>] {
    guard !keys.isEmpty else { return [] }
    let rows =
      switch access {
      case .faulting: try keys.flatMap { try one(Stored<Object>.self, by: "pk", $0) }
      case .prefetching: try several(Stored<Object>.self, by: "pk", keys)
      }
    guard rows.count == keys.count else {
      throw SQLiteFailure(
        "\(rows.count) of \(keys.count) \(Object.entity) objects that something links to exist")
    }
    return rows
  }

  /// The links of sources, each source's in their order.
  func links<R: Relation>(_ type: R.Type, of sources: [Int]) throws -> [Link<R>] {
    switch access {
    case .faulting: try sources.flatMap { try one(Link<R>.self, by: "source", $0) }
    case .prefetching: try several(Link<R>.self, by: "source", sources)
    }
  }

  /// The key of the menu.
  ///
  /// - Throws: ``SQLiteFailure`` where there is none, as before the first write.
  func root() throws -> Int {
    let keys = try keys(MenuObject.self)
    guard let root = keys.first else { throw SQLiteFailure.nothingWritten }
    guard keys.count == 1 else { throw SQLiteFailure("\(keys.count) menus instead of one") }
    return root
  }

  /// The key of what has an id among the parts of an owner; 0 is the menu.
  func key<Object: StoredObject>(
    _ type: Object.Type, id: Int, owner: Int = 0
  ) throws -> Int? {
    let statement = try statement(.find, Stored<Object>.self) {
      "SELECT pk FROM \(Object.entity) WHERE id = ? AND owner = ?"
    }
    return try statement.rows {
      $0.put(id)
      $0.put(owner)
    } _: {
      $0.int()
    }.first
  }

  /// Every key of a kind.
  func keys<Object: StoredObject>(_ type: Object.Type) throws -> [Int] {
    let statement = try statement(.keys, Stored<Object>.self) { "SELECT pk FROM \(Object.entity)" }
    return try statement.rows { $0.int() }
  }

  /// The greatest key of a kind, 0 where there is no object.
  func greatestKey<Object: StoredObject>(_ type: Object.Type) throws -> Int {
    let statement = try statement(.greatest, Stored<Object>.self) {
      "SELECT ifnull(max(pk), 0) FROM \(Object.entity)"
    }
    return try statement.rows { $0.int() }.first ?? 0
  }

  private func statement(
    _ operation: ObjectStatements.Operation, _ row: Any.Type, _ sql: () -> String
  ) throws -> PreparedStatement {
    try statements.statement(operation, row, on: connection, sql)
  }

  private func one<Row: GraphRow>(
    _ type: Row.Type, by column: String, _ key: Int
  ) throws -> [Row] {
    let statement = try statement(.one, type) { Row.table.selection(where: "\(column) = ?") }
    return try statement.rows {
      $0.put(key)
    } _: {
      try Row(from: &$0)
    }
  }

  private func several<Row: GraphRow>(
    _ type: Row.Type, by column: String, _ keys: [Int]
  ) throws -> [Row] {
    let statement = try statement(.several, type) {
      Row.table.selection(where: "\(column) IN (SELECT value FROM json_each(?))")
    }
    // Whole numbers only: this is JSON.
    let list = "[" + keys.map(String.init).joined(separator: ",") + "]"
    return try statement.rows {
      $0.put(list)
    } _: {
      try Row(from: &$0)
    }
  }

  /// Every row of a table.
  func all<Row: GraphRow>(_ type: Row.Type) throws -> [Row] {
    try statement(.all, type) { Row.table.selection() }.rows { try Row(from: &$0) }
  }

  /// Removes every row of a table.
  func deleteAll<Row: GraphRow>(_ type: Row.Type) throws {
    try statement(.deleteAll, type) { Row.table.deletion }.run()
  }

  /// Adds rows.
  func insert<Row: GraphRow>(_ rows: [Row]) throws {
    let statement = try statement(.insert, Row.self) { Row.table.insertion }
    for var row in rows { try statement.run { row.fields(&$0) } }
  }

  /// Adds a row.
  func insert<Row: GraphRow>(_ row: Row) throws { try insert([row]) }

  /// Gives an object's row other values. The row comes back as it was: a copy would cost.
  func update<Object: StoredObject>(_ row: inout Stored<Object>) throws {
    let statement = try statement(.update, Stored<Object>.self) { Stored<Object>.table.update }
    try statement.run { row.fields(&$0) }
  }

  /// Removes an object.
  func delete<Object: StoredObject>(_ type: Object.Type, _ key: Int) throws {
    let statement = try statement(.delete, Stored<Object>.self) {
      "DELETE FROM \(Object.entity) WHERE pk = ?"
    }
    try statement.run { $0.put(key) }
  }

  /// Removes the links of a source.
  func removeLinks<R: Relation>(_ type: R.Type, of source: Int) throws {
    let statement = try statement(.delete, Link<R>.self) {
      "DELETE FROM \(R.name) WHERE source = ?"
    }
    try statement.run { $0.put(source) }
  }
}

extension Table {
  /// Changes the row of a key; parameters are those of the INSERT.
  fileprivate var update: String {
    let values = columns.enumerated().map { "\($1.name) = ?\($0 + 1)" }.dropFirst()
    return "UPDATE \(name) SET \(values.joined(separator: ", ")) WHERE pk = ?1"
  }
}

extension ObjectSession {
  /// Fetches every object that a patch names, copies too, and sets what changes.
  ///
  /// - Throws: `UnknownPatchTarget` where the menu has none of its own.
  func apply(_ patch: MenuPatch) throws {
    let root = try root()
    for change in patch.availability {
      let keys = try products(change.productID)
      try set("availability", of: ProductObject.self, keys) {
        $0.put(change.availability.rawValue)
      }
    }
    for change in patch.prices {
      let keys = try variants(change.variantID)
      try set("price", of: VariantObject.self, keys) { $0.put(change.price) }
    }
    try applyStops(patch.stops, root)
    try set("revision", of: MenuObject.self, [root]) { $0.put(patch.revision) }
  }

  /// Fetches the stop list, changes it and saves it anew: it is short.
  private func applyStops(_ stops: [MenuPatch.StopChange], _ root: Int) throws {
    guard !stops.isEmpty else { return }
    for stop in stops where try !has(stop.entity, stop.entityID) {
      throw UnknownPatchTarget(entity: stop.entity, id: stop.entityID)
    }
    let keys = try links(MenuStopList.self, of: [root]).map(\.target.number)
    let byKey = Dictionary(
      try objects(StopListEntryObject.self, keys).map { ($0.key, $0.object) },
      uniquingKeysWith: { first, _ in first })
    let list = try keys.compactMap { byKey[$0] }.map {
      StopListEntry(entity: try value($0.entity), entityID: $0.entityID, until: $0.until)
    }
    try removeLinks(MenuStopList.self, of: root)
    for key in keys { try delete(StopListEntryObject.self, key) }
    for (position, entry) in StopChanges(stops).applied(to: list).enumerated() {
      let object = StopListEntryObject(
        entity: entry.entity.rawValue, entityID: entry.entityID, until: entry.until)
      try insert(
        Stored(primaryKey: Key(position + 1), id: position, owner: Key(0), object: object))
      try insert(
        Link<MenuStopList>(source: Key(root), position: position, target: Key(position + 1)))
    }
  }

  /// Whether the menu has a thing; of products and their variants its own, not a copy.
  private func has(_ entity: Entity, _ id: Int) throws -> Bool {
    switch entity {
    case .category: try key(CategoryObject.self, id: id) != nil
    case .ingredient: try key(IngredientObject.self, id: id) != nil
    case .modifierGroup: try key(ModifierGroupObject.self, id: id) != nil
    case .combo: try key(ComboObject.self, id: id) != nil
    case .product: try key(ProductObject.self, id: id) != nil
    case .variant: try !variants(id).isEmpty
    case .slot: try hasSlot(id)
    }
  }

  private func hasSlot(_ id: Int) throws -> Bool {
    let statement = try statement(.copies, SlotObject.self) {
      "SELECT 1 FROM \(SlotObject.entity) WHERE id = ?"
    }
    return try !statement.rows {
      $0.put(id)
    } _: {
      $0.int()
    }.isEmpty
  }

  private func products(_ id: Int) throws -> [Int] {
    let statement = try statement(.copies, ProductObject.self) {
      "SELECT pk, owner FROM product WHERE id = ? ORDER BY owner"
    }
    return try known(.product, id, statement)
  }

  private func variants(_ id: Int) throws -> [Int] {
    let statement = try statement(.copies, VariantObject.self) {
      "SELECT variant.pk, product.owner FROM variant JOIN product ON product.pk = variant.owner "
        + "WHERE variant.id = ? ORDER BY product.owner"
    }
    return try known(.variant, id, statement)
  }

  /// Keys, the menu's own first.
  private func known(_ entity: Entity, _ id: Int, _ statement: PreparedStatement) throws -> [Int] {
    let found = try statement.rows {
      $0.put(id)
    } _: {
      (key: $0.int(), owner: $0.int())
    }
    guard found.first?.owner == 0 else { throw UnknownPatchTarget(entity: entity, id: id) }
    return found.map(\.key)
  }

  private func set<Object: StoredObject>(
    _ column: String, of type: Object.Type, _ keys: [Int], _ put: (inout RowBinder) -> Void
  ) throws {
    // A patch changes one column of a kind.
    let statement = try statement(.set, type) {
      "UPDATE \(Object.entity) SET \(column) = ? WHERE pk = ?"
    }
    for key in keys {
      try statement.run {
        put(&$0)
        $0.put(key)
      }
    }
  }
}

extension ObjectSession {
  /// The ids of the menu's own products whose names contain a query, as ``NameSearch`` has it.
  func products(named wanted: String) throws -> [Int] {
    let root = try root()
    // As blobs: SQLite copies a text once more to put a NUL behind it.
    let statement = try statement(.named, ProductObject.self) {
      """
      SELECT product.id FROM menu_products JOIN product ON product.pk = menu_products.target
      WHERE menu_products.source = ?1
        AND instr(CAST(name_key(product.name) AS BLOB), CAST(?2 AS BLOB)) > 0
      ORDER BY CAST(name_key(product.name) AS BLOB), product.id
      """
    }
    return try statement.rows {
      $0.put(root)
      $0.put(NameSearch.key(wanted))
    } _: {
      $0.int()
    }
  }

  /// The keys of the products of a category, by an index of either relation.
  static let shelf = """
    SELECT pk FROM \(ProductObject.entity) WHERE category = ?1 \
    UNION ALL SELECT source FROM \(ProductCategories.name) WHERE target = ?1
    """

  /// The keys of the products of the first category that has any, in the menu's order.
  func shelf(_ categories: [Int], of root: Int) throws -> [Int] {
    let products = try links(MenuProducts.self, of: [root]).map(\.target.number)
    for category in categories {
      let statement = try statement(.shelf, ProductObject.self) { Self.shelf }
      let found = Set(
        try statement.rows {
          $0.put(category)
        } _: {
          $0.int()
        })
      let shelf = products.filter(found.contains)
      if !shelf.isEmpty { return shelf }
    }
    return []
  }
}

/// The statements of a connection, each prepared when it is first needed and kept.
final class ObjectStatements {
  /// What a statement does with the table of a row.
  enum Operation: Int, CaseIterable {
    case all, one, several, find, keys, greatest, insert, update, delete, deleteAll
    case copies, set, named, shelf
  }

  private let store: StoreConnection
  private var prepared = Array(
    repeating: ByType<PreparedStatement>(), count: Operation.allCases.count)

  init(_ store: StoreConnection) { self.store = store }

  /// A statement about rows of one type, prepared if it isn't yet.
  func statement(
    _ operation: Operation, _ row: Any.Type, on connection: Database, _ sql: () -> String
  ) throws -> PreparedStatement {
    if let known = prepared[operation.rawValue][row] { return known }
    let statement = try store.prepare(sql(), on: connection)
    prepared[operation.rawValue][row] = statement
    return statement
  }
}
