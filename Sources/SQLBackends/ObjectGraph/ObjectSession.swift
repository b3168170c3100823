import BackendKit
import GRDB
import MenuModel

/// Reads and writes objects and links in a transaction.
struct ObjectSession {
  let connection: Database
  let statements: ObjectStatements
  let access: ObjectAccess

  /// Fetches objects by their keys, or the links of sources, each source's in order. If one SELECT
  /// fetches several rows, they are in the order of the keys.
  ///
  /// - Throws: ``SQLiteFailure`` if an object does not exist.
  func fetch(_ keys: [Int], into rows: inout GraphRows) throws {
    guard let column = rows.table.shape.table.key.first, !keys.isEmpty else { return }
    let (shape, before) = (rows.table.shape, rows.count)
    switch access {
    case .faulting:
      let one = try statement(.one, rows.table) {
        shape.table.selection(where: "\(column) = ?")
      }
      for key in keys { try rows.append(one) { $0.put(key) } }
    case .prefetching:
      let several = try statement(.several, rows.table) {
        shape.table.selection(where: "\(column) IN (SELECT value FROM json_each(?))")
      }
      // Only whole numbers, so the list is valid JSON.
      let list = "[" + keys.map(String.init).joined(separator: ",") + "]"
      try rows.append(several) { $0.put(list) }
    }
    let found = rows.count - before
    guard shape.source != nil || found == keys.count else {
      throw SQLiteFailure(
        "\(found) of \(keys.count) linked \(rows.table.name) objects exist")
    }
  }

  /// Fetches every row of a table.
  func fetchAll(_ rows: inout GraphRows) throws {
    let table = rows.table
    try rows.append(try statement(.all, table) { table.shape.table.selection() })
  }

  /// The keys of the objects that a source links to, in their order.
  func targets(_ relation: GraphTable, of source: Int) throws -> [Int] {
    var rows = GraphRows(table: relation)
    try fetch([source], into: &rows)
    return (0..<rows.count).map { rows.target(of: $0) }
  }

  /// Returns the key of the menu.
  ///
  /// - Throws: ``SQLiteFailure`` if there is none, as before the first write.
  func root() throws -> Int {
    let keys = try keys(.menu)
    guard let root = keys.first else { throw SQLiteFailure.nothingWritten }
    guard keys.count == 1 else { throw SQLiteFailure("\(keys.count) menus instead of one") }
    return root
  }

  /// The key of the object with an id among the parts of an owner. Owner 0 is the menu.
  func key(_ kind: GraphTable, id: Int, owner: Int = 0) throws -> Int? {
    let statement = try statement(.find, kind) {
      "SELECT pk FROM \(kind.name) WHERE id = ? AND owner = ?"
    }
    return try statement.rows {
      $0.put(id)
      $0.put(owner)
    } _: {
      $0.int()
    }.first
  }

  /// Every key of a kind.
  func keys(_ kind: GraphTable) throws -> [Int] {
    try statement(.keys, kind) { "SELECT pk FROM \(kind.name)" }.rows { $0.int() }
  }

  /// The greatest key of a kind, or 0 if there is no object.
  func greatestKey(_ kind: GraphTable) throws -> Int {
    try statement(.greatest, kind) { "SELECT ifnull(max(pk), 0) FROM \(kind.name)" }
      .rows { $0.int() }.first ?? 0
  }

  /// Inserts a row. If there is a map, replaces its keys.
  func insert(_ rows: GraphRows, _ row: Int, by keys: KeyMap? = nil) throws {
    try statement(.insert, rows.table) { rows.table.shape.table.insertion() }
      .run { rows.put(row, into: &$0, by: keys) }
  }

  /// Updates the object that has the row's key with the row's other values.
  func update(_ rows: GraphRows, _ row: Int, by keys: KeyMap) throws {
    try statement(.update, rows.table) { rows.table.shape.table.update }
      .run { rows.put(row, into: &$0, by: keys) }
  }

  /// Deletes an object by its key, or the links of a source.
  func delete(_ table: GraphTable, _ key: Int) throws {
    try statement(.delete, table) {
      "DELETE FROM \(table.name) WHERE \(table.shape.table.key[0]) = ?"
    }.run { $0.put(key) }
  }

  /// Deletes every row of a table.
  func deleteAll(_ table: GraphTable) throws {
    try statement(.deleteAll, table) { table.shape.table.deletion }.run()
  }

  private func statement(
    _ operation: ObjectStatements.Operation, _ table: GraphTable, _ sql: () -> String
  ) throws -> PreparedStatement {
    try statements.statement(operation, table, on: connection, sql)
  }
}

extension Table {
  /// Updates the row with a key. The parameters are in the order of the INSERT.
  fileprivate var update: String {
    let values = columns.enumerated().map { "\($1.name) = ?\($0 + 1)" }.dropFirst()
    return "UPDATE \(name) SET \(values.joined(separator: ", ")) WHERE pk = ?1"
  }
}

extension ObjectSession {
  /// Fetches every object in a patch, including embedded copies, and sets the changed values.
  ///
  /// - Throws: `UnknownPatchTarget` if the menu does not have such an object of its own.
  func apply(_ patch: MenuPatch) throws {
    let root = try root()
    for change in patch.availability {
      try set("availability", of: .product, try products(change.productID)) {
        $0.put(change.availability.rawValue)
      }
    }
    for change in patch.prices {
      try set("price", of: .variant, try variants(change.variantID)) { $0.put(change.price) }
    }
    try applyStops(patch.stops, root)
    try set("revision", of: .menu, [root]) { $0.put(patch.revision) }
  }

  /// Fetches the stop list, changes it and saves all of it, because it is short.
  private func applyStops(_ stops: [MenuPatch.StopChange], _ root: Int) throws {
    guard !stops.isEmpty else { return }
    for stop in stops where try !has(stop.entity, stop.entityID) {
      throw UnknownPatchTarget(entity: stop.entity, id: stop.entityID)
    }
    let keys = try targets(.menuStopList, of: root)
    let list = stops.applied(to: try stopList(keys))
    try delete(.menuStopList, root)
    for key in keys { try delete(.stopListEntry, key) }
    var builder = GraphBuilder()
    builder.addStopList(list, of: root)
    for row in list.indices {
      try insert(builder.graph[.stopListEntry], row)
      try insert(builder.graph[.menuStopList], row)
    }
  }

  /// Fetches entries of the stop list, whose keys may be in any order.
  func stopList(_ keys: [Int]) throws -> [StopListEntry] {
    var graph = ObjectGraph()
    try fetch(keys.sorted(), into: &graph[.stopListEntry])
    var reader = GraphReader(graph)
    return try keys.map { try reader.stopListEntry($0) }
  }

  /// Whether the menu has an entity. An embedded copy of a product or variant does not count.
  private func has(_ entity: Entity, _ id: Int) throws -> Bool {
    switch entity {
    case .category: try key(.category, id: id) != nil
    case .ingredient: try key(.ingredient, id: id) != nil
    case .modifierGroup: try key(.modifierGroup, id: id) != nil
    case .combo: try key(.combo, id: id) != nil
    case .product: try key(.product, id: id) != nil
    case .variant: try !variants(id).isEmpty
    case .slot:
      try !statement(.copies, .slot) { "SELECT 1 FROM slot WHERE id = ?" }
        .rows({ $0.put(id) }, { $0.int() }).isEmpty
    }
  }

  private func products(_ id: Int) throws -> [Int] {
    try known(.product, id) { "SELECT pk, owner FROM product WHERE id = ? ORDER BY owner" }
  }

  private func variants(_ id: Int) throws -> [Int] {
    try known(.variant, id) {
      "SELECT variant.pk, product.owner FROM variant JOIN product ON product.pk = variant.owner "
        + "WHERE variant.id = ? ORDER BY product.owner"
    }
  }

  /// The keys of an object and its copies, the menu's own first. Throws if the menu does not have it.
  private func known(_ entity: Entity, _ id: Int, _ sql: () -> String) throws -> [Int] {
    let found = try statement(.copies, entity == .product ? .product : .variant, sql)
      .rows({ $0.put(id) }, { (key: $0.int(), owner: $0.int()) })
    guard found.first?.owner == 0 else { throw UnknownPatchTarget(entity: entity, id: id) }
    return found.map(\.key)
  }

  private func set(
    _ column: String, of kind: GraphTable, _ keys: [Int], _ put: (inout RowBinder) -> Void
  ) throws {
    // A patch changes only one column per kind, so the kind identifies the statement.
    let statement = try statement(.set, kind) {
      "UPDATE \(kind.name) SET \(column) = ? WHERE pk = ?"
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
  /// The ids of the menu's own products whose names contain a query, as ``NameSearch`` defines it.
  func products(named wanted: String) throws -> [Int] {
    let root = try root()
    // Casts to blobs, because SQLite copies a text again to append a NUL.
    let statement = try statement(.named, .product) {
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

  /// The keys of a category's products, found by an index for each of the two relations.
  static let shelf = """
    SELECT pk FROM product WHERE category = ?1 \
    UNION ALL SELECT source FROM product_categories WHERE target = ?1
    """

  /// The keys of the products of the first category that has any, in the menu's order.
  func shelf(_ categories: [Int], of root: Int) throws -> [Int] {
    let products = try targets(.menuProducts, of: root)
    for category in categories {
      let found = Set(
        try statement(.shelf, .product) { Self.shelf }.rows({ $0.put(category) }, { $0.int() }))
      let shelf = products.filter(found.contains)
      if !shelf.isEmpty { return shelf }
    }
    return []
  }
}

/// The statements of a connection. Each is prepared for its first use and kept.
final class ObjectStatements {
  /// The operation of a statement on a table.
  enum Operation: Int, CaseIterable {
    case all, one, several, find, keys, greatest, insert, update, delete, deleteAll
    case copies, set, named, shelf
  }

  private static let operations = Operation.allCases.count

  private let store: StoreConnection
  private var prepared = [PreparedStatement?](
    repeating: nil, count: operations * GraphTable.allCases.count)

  init(_ store: StoreConnection) { self.store = store }

  /// Returns the statement for an operation on a table, and prepares it on first use.
  func statement(
    _ operation: Operation, _ table: GraphTable, on connection: Database, _ sql: () -> String
  ) throws -> PreparedStatement {
    let place = table.rawValue * Self.operations + operation.rawValue
    if let known = prepared[place] { return known }
    let statement = try store.prepare(sql(), on: connection)
    prepared[place] = statement
    return statement
  }
}
