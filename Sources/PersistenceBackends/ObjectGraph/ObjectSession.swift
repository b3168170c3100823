import GRDB
import GRDBSQLite
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
    guard let root = keys.first else { throw SQLiteFailure("nothing was written") }
    guard keys.count == 1 else { throw SQLiteFailure("\(keys.count) menus instead of one") }
    return root
  }

  /// The key of what has an id among the parts of an owner; 0 is the menu.
  func key<Object: StoredObject>(
    _ type: Object.Type, id: Int, owner: Int = 0
  ) throws -> Int? {
    let query = try query(.find, Stored<Object>.self) {
      "SELECT pk FROM \(Object.entity) WHERE id = ? AND owner = ?"
    }
    return try query.rows {
      $0.put(id)
      $0.put(owner)
    } _: {
      $0.int()
    }.first
  }

  /// Every key of a kind.
  func keys<Object: StoredObject>(_ type: Object.Type) throws -> [Int] {
    let query = try query(.keys, Stored<Object>.self) { "SELECT pk FROM \(Object.entity)" }
    return try query.rows { $0.int() }
  }

  /// The greatest key of a kind, 0 where there is no object.
  func greatestKey<Object: StoredObject>(_ type: Object.Type) throws -> Int {
    let query = try query(.greatest, Stored<Object>.self) {
      "SELECT ifnull(max(pk), 0) FROM \(Object.entity)"
    }
    return try query.rows { $0.int() }.first ?? 0
  }

  /// A statement about to be run.
  func query(
    _ operation: ObjectStatements.Operation, _ row: Any.Type? = nil, times: Int = 1,
    _ sql: () -> String
  ) throws -> ObjectQuery {
    try statements.query(operation, row, times: times, on: connection, sql)
  }

  private func one<Row: GraphRow>(
    _ type: Row.Type, by column: String, _ key: Int
  ) throws -> [Row] {
    let query = try query(.one, type) { Row.table.selection(where: "\(column) = ?") }
    return try query.rows {
      $0.put(key)
    } _: {
      try Row(from: &$0)
    }
  }

  private func several<Row: GraphRow>(
    _ type: Row.Type, by column: String, _ keys: [Int]
  ) throws -> [Row] {
    let query = try query(.several, type) {
      Row.table.selection(where: "\(column) IN (SELECT value FROM json_each(?))")
    }
    // Whole numbers only: this is JSON.
    let list = "[" + keys.map(String.init).joined(separator: ",") + "]"
    return try query.rows {
      $0.put(list)
    } _: {
      try Row(from: &$0)
    }
  }
}

extension ObjectSession {
  /// Every row of a table.
  func all<Row: GraphRow>(_ type: Row.Type) throws -> [Row] {
    try query(.all, type) { Row.table.selection() }.rows { try Row(from: &$0) }
  }

  /// Removes every row of a table.
  func deleteAll<Row: GraphRow>(_ type: Row.Type) throws {
    try query(.deleteAll, type) { Row.table.deletion }.run()
  }

  /// Adds rows.
  func insert<Row: GraphRow>(_ rows: [Row]) throws {
    let query = try query(.insert, Row.self, times: rows.count) { Row.table.insertion }
    for var row in rows { try query.run { row.fields(&$0) } }
  }

  /// Adds a row.
  func insert<Row: GraphRow>(_ row: Row) throws { try insert([row]) }

  /// Gives an object's row other values.
  func update<Object: StoredObject>(_ row: Stored<Object>) throws {
    let query = try query(.update, Stored<Object>.self) { Stored<Object>.table.update }
    var row = row
    try query.run { row.fields(&$0) }
  }

  /// Removes an object.
  func delete<Object: StoredObject>(_ type: Object.Type, _ key: Int) throws {
    let query = try query(.delete, Stored<Object>.self) {
      "DELETE FROM \(Object.entity) WHERE pk = ?"
    }
    try query.run { $0.put(key) }
  }

  /// Removes the links of a source.
  func removeLinks<R: Relation>(_ type: R.Type, of source: Int) throws {
    let query = try query(.delete, Link<R>.self) { "DELETE FROM \(R.name) WHERE source = ?" }
    try query.run { $0.put(source) }
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
    try set("revision", of: MenuObject.self, [root]) { $0.put(patch.revision) }
  }

  private func products(_ id: Int) throws -> [Int] {
    let query = try query(.other("products")) {
      "SELECT pk, owner FROM product WHERE id = ? ORDER BY owner"
    }
    return try known(.product, id, query)
  }

  private func variants(_ id: Int) throws -> [Int] {
    let query = try query(.other("variants")) {
      "SELECT variant.pk, product.owner FROM variant JOIN product ON product.pk = variant.owner "
        + "WHERE variant.id = ? ORDER BY product.owner"
    }
    return try known(.variant, id, query)
  }

  /// Keys, the menu's own first.
  private func known(_ entity: Entity, _ id: Int, _ query: ObjectQuery) throws -> [Int] {
    let found = try query.rows {
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
    let query = try query(.other(column), type, times: keys.count) {
      "UPDATE \(Object.entity) SET \(column) = ? WHERE pk = ?"
    }
    for key in keys {
      try query.run {
        put(&$0)
        $0.put(key)
      }
    }
  }
}

/// The SQL function that makes of a name what ``NameSearch`` compares and sorts, as bytes.
///
/// It is registered through SQLite's C API: GRDB's functions end a text at its first NUL.
enum ObjectNameKey {
  /// Its name in SQL.
  static let name = "name_key"

  /// Adds it to a connection.
  static func register(on connection: Database) throws {
    let code = sqlite3_create_function_v2(
      connection.sqliteConnection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, arguments in ObjectNameKey.answer(context, arguments?.pointee) }, nil, nil,
      nil)
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, on: connection.sqliteConnection)
    }
  }

  private static func answer(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard let text = sqlite3_value_text(argument) else { return sqlite3_result_null(context) }
    let count = Int(sqlite3_value_bytes(argument))
    var key = NameSearch.key(
      String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    key.withUTF8 { bytes in
      // A null address would be NULL instead of no bytes.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_result_zeroblob(context, 0)
      }
      // SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies the bytes.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_result_blob64(context, start, UInt64(bytes.count), copied)
    }
  }
}

extension ObjectSession {
  /// The ids of the menu's own products whose names contain a query, as ``NameSearch`` has it.
  func products(named wanted: String) throws -> [Int] {
    let root = try root()
    let query = try query(.other("names")) {
      """
      SELECT product.id FROM menu_products JOIN product ON product.pk = menu_products.target
      WHERE menu_products.source = ?1
        AND instr(\(ObjectNameKey.name)(product.name), CAST(?2 AS BLOB)) > 0
      ORDER BY \(ObjectNameKey.name)(product.name), product.id
      """
    }
    return try query.rows {
      $0.put(root)
      $0.put(NameSearch.key(wanted))
    } _: {
      $0.int()
    }
  }

  /// The keys of the products of the first category that has any, in the menu's order.
  func shelf(_ categories: [Int], of root: Int) throws -> [Int] {
    let products = try links(MenuProducts.self, of: [root]).map(\.target.number)
    for category in categories {
      let query = try query(.other("shelf")) {
        "SELECT pk FROM \(ProductObject.entity) WHERE category = ?"
      }
      let found = Set(
        try query.rows {
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

/// A prepared statement with parameters, run through SQLite's C API; it doesn't own the statement.
struct ObjectQuery {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// Runs a statement that gives no rows.
  func run(_ bind: (inout RowBinder) -> Void = { _ in }) throws {
    _ = try rows(bind) { _ in }
  }

  /// Runs a SELECT and takes every row.
  func rows<Row>(
    _ bind: (inout RowBinder) -> Void = { _ in }, _ take: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    defer { sqlite3_reset(statement) }
    var binder = RowBinder(statement)
    bind(&binder)
    guard binder.code == SQLITE_OK else { throw failure(binder.code) }
    var rows: [Row] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw failure(code) }
        return rows
      }
      var reader = RowReader(statement)
      rows.append(try take(&reader))
    }
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, on: sqlite3_db_handle(statement))
  }
}

/// The schema of an object store: makes it where there is none, refuses what isn't it.
enum ObjectSchema {
  /// Kept in the database's `user_version`; grows with every change of a table.
  static let version = 1

  /// Checks the store, sets the connection up and makes the tables where there are none; nothing of
  /// a store that is refused is changed.
  static func prepare(_ connection: some SQLConnection, _ durability: Durability) throws {
    let isMissing = try isMissing(in: connection)
    try StoreSettings(durability).apply(to: connection)
    if isMissing { try create(in: connection) }
  }

  private static var statements: [String] { ObjectGraph.tables.flatMap(\.table.creation) }

  private static func isMissing(in connection: some SQLConnection) throws -> Bool {
    let stored = try connection.texts("PRAGMA user_version").first ?? ""
    let found = try connection.texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    if stored == "0", found.isEmpty { return true }
    if let number = Int(stored), number > version {
      throw SQLiteFailure(
        "its schema is \(stored), newer than \(version), which this program knows")
    }
    let ours = Set(statements)
    guard stored == String(version), !ours.isDisjoint(with: found) else {
      let tables = found.isEmpty ? "no tables" : "the tables \(try names(in: connection))"
      throw SQLiteFailure("not an object store: schema \(stored) with \(tables)")
    }
    guard ours == Set(found) else {
      let known = ours.intersection(found).count
      throw SQLiteFailure(
        "its tables are not those of schema \(version): of \(ours.count) tables and indexes it has "
          + "\(known), and \(found.count - known) others")
    }
    return false
  }

  private static func names(in connection: some SQLConnection) throws -> String {
    try connection.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL ORDER BY name"
    ).joined(separator: ", ")
  }

  private static func create(in connection: some SQLConnection) throws {
    try connection.run("BEGIN IMMEDIATE")
    do {
      for statement in statements { try connection.run(statement) }
      try connection.run("PRAGMA user_version = \(version)")
      try connection.run("COMMIT")
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }
}

/// The statements of a connection, each prepared when it is first needed and kept.
final class ObjectStatements {
  /// What a statement does with its table.
  enum Operation: Hashable {
    case all, one, several, find, keys, greatest, insert, update, delete, deleteAll
    /// A statement of its own, by its text.
    case other(String)
  }

  private struct Name: Hashable {
    let operation: Operation
    let row: ObjectIdentifier?
  }

  private var prepared: [Name: (owner: Statement, query: ObjectQuery)] = [:]
  /// How many statements were run; one that is run for many rows in a loop counts once a row.
  private(set) var executions = 0

  /// A statement about to be run.
  func query(
    _ operation: Operation, _ row: Any.Type? = nil, times: Int = 1, on connection: Database,
    _ sql: () -> String
  ) throws -> ObjectQuery {
    executions += times
    let name = Name(operation: operation, row: row.map { ObjectIdentifier($0) })
    if let known = prepared[name] { return known.query }
    // GRDB's cache is what prepares persistent statements; it may forget them, we don't.
    let statement = try connection.cachedStatement(sql: sql())
    let query = ObjectQuery(statement.sqliteStatement)
    prepared[name] = (statement, query)
    return query
  }
}
