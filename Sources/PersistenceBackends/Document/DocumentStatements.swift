import Foundation
import GRDBSQLite
import MenuModel

/// The statements of a document store, prepared once.
struct DocumentStatements {
  private let deletions: [DocumentStatement]
  private let insertion: DocumentStatement
  private let holding: DocumentStatement
  private let selection: DocumentStatement
  private let lookup: DocumentStatement
  private let search: DocumentStatement
  private let listing: DocumentStatement
  private let shelf: DocumentStatement
  let patching: PatchStatements

  /// Prepares them; whoever prepares keeps and finalises them.
  init(prepare: (String) throws -> OpaquePointer) rethrows {
    func statement(_ sql: String) throws -> DocumentStatement {
      DocumentStatement(try prepare(sql))
    }
    deletions = [try statement("DELETE FROM holder"), try statement("DELETE FROM entity")]
    insertion = try statement(
      "INSERT INTO entity (place, kind, id, position, body) VALUES (?, ?, ?, ?, ?)")
    holding = try statement("INSERT INTO holder (held, id, entity) VALUES (?, ?, ?)")
    selection = try statement("SELECT kind, id, position, body FROM entity ORDER BY place")
    lookup = try statement(
      """
      SELECT kind, id, position, body FROM entity WHERE kind = ? AND id = ? \
      ORDER BY position LIMIT 1
      """)
    // Left to itself, SQLite 3.40 takes the key's index, works every name out of its JSON and sorts.
    search = try statement(
      """
      SELECT id FROM entity INDEXED BY entity_name \
      WHERE kind = \(EntityKind.product.rawValue) AND instr(name_key, ?) ORDER BY name_key, id
      """)
    listing = try statement(
      """
      SELECT kind, id, position, body FROM entity WHERE kind = ? ORDER BY position LIMIT ?
      """)
    shelf = try statement(
      """
      SELECT kind, id, position, body FROM entity INDEXED BY entity_shelf \
      WHERE kind = \(EntityKind.product.rawValue) AND category_id = ? ORDER BY position
      """)
    patching = try PatchStatements(prepare: prepare)
  }

  /// Removes the old menu and adds the new. To be called in a transaction.
  ///
  /// A DELETE without a condition frees a table's pages without a look at its rows
  /// (sqlite.org/lang_delete.html, the truncate optimisation).
  func replace(with payload: MenuEntities) throws {
    for deletion in deletions { try deletion.run() }
    for (place, entity) in payload.entities.enumerated() {
      try insertion.run(
        .int(place), .int(Int(entity.key.kind.rawValue)), .int(entity.key.id),
        .int(entity.key.position), .body(entity.body))
    }
    for holder in payload.holders {
      try holding.run(.int(Int(holder.held.rawValue)), .int(holder.id), .int(holder.entity))
    }
  }

  /// Every entity. To be called in a transaction.
  func fetch() throws -> MenuEntities {
    let entities = try selection.all(taking: entity)
    guard !entities.isEmpty else { throw SQLiteFailure("nothing was written") }
    return MenuEntities(entities: entities)
  }

  /// Throws where no menu was written.
  func checkWritten() throws {
    guard try first(.head, 0) != nil else { throw SQLiteFailure("nothing was written") }
  }

  /// The ids of products whose name's key holds another, by key and id.
  func products(withKey key: String) throws -> [Int] {
    try search.all(.text(key)) { $0.int(0) }
  }

  private func entity(_ row: DocumentRow) throws -> StoredEntity {
    guard let kind = UInt8(exactly: row.int(0)).flatMap(EntityKind.init) else {
      throw SQLiteFailure("there is no entity of kind \(row.int(0))")
    }
    return StoredEntity(
      key: EntityKey(kind: kind, id: row.int(1), position: row.int(2)), body: row.data(3))
  }
}

extension DocumentStatements: EntityLookup {
  func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity? {
    try lookup.first(.int(Int(kind.rawValue)), .int(id), taking: entity)
  }
}

extension DocumentStatements {
  func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity] {
    try listing.all(.int(Int(kind.rawValue)), .int(count), taking: entity)
  }

  /// By the index of shelves, one after another.
  func shelf(_ categories: [MenuModel.Category], _ coder: EntityCoder) throws -> [Product] {
    for category in categories {
      let products = try shelf.all(.int(category.id), taking: entity)
      if !products.isEmpty { return try products.map { try coder.decode(Product.self, $0) } }
    }
    return []
  }
}

/// Changes prices and availability within the JSON, by `json_set`.
///
/// `json_set` copies the texts of everything that it is not told to change, numbers and escapes
/// included (seen in 3.40.1, tried by our tests), so the rest of a menu stays as it is to the bit.
struct PatchStatements {
  private let revision: DocumentStatement
  private let availability: DocumentStatement
  private let holders: DocumentStatement
  private let products: DocumentStatement
  private let variants: DocumentStatement
  private let change: DocumentStatement

  init(prepare: (String) throws -> OpaquePointer) rethrows {
    func statement(_ sql: String) throws -> DocumentStatement {
      DocumentStatement(try prepare(sql))
    }
    // What has an id, by the path of the object that the id stands in.
    let paths =
      "SELECT path FROM entity, json_tree(body) leaf WHERE place = ? AND key = 'id' AND atom = ? AND "
    revision = try statement(
      """
      UPDATE entity SET body = json_set(body, '$.revision', ?) \
      WHERE kind = \(EntityKind.head.rawValue)
      """)
    availability = try statement(
      """
      UPDATE entity SET body = json_set(body, '$.availability', ?) \
      WHERE kind = \(EntityKind.product.rawValue) AND id = ?
      """)
    holders = try statement(
      """
      SELECT entity, kind FROM holder JOIN entity ON place = entity \
      WHERE held = ? AND holder.id = ?
      """)
    products = try statement(paths + "path LIKE '%.product'")
    variants = try statement(paths + "path LIKE '%.variants[%]'")
    change = try statement("UPDATE entity SET body = json_set(body, ?, ?) WHERE place = ?")
  }

  /// Applies a patch. To be called in a transaction, which an error has to undo.
  func apply(_ patch: MenuPatch) throws {
    for change in patch.availability { try apply(change) }
    for change in patch.prices { try apply(change) }
    try revision.run(.int(patch.revision))
  }

  private func apply(_ patch: MenuPatch.AvailabilityChange) throws {
    let value = SQLArgument.text(patch.availability.rawValue)
    try availability.run(value, .int(patch.productID))
    guard availability.changes > 0 else {
      throw UnknownPatchTarget(entity: .product, id: patch.productID)
    }
    for holder in try holders(of: .product, patch.productID) {
      try set("availability", value, at: products, patch.productID, in: holder.place)
    }
  }

  private func apply(_ patch: MenuPatch.PriceChange) throws {
    let holders = try holders(of: .variant, patch.variantID)
    guard holders.contains(where: { $0.kind == Int(EntityKind.product.rawValue) }) else {
      throw UnknownPatchTarget(entity: .variant, id: patch.variantID)
    }
    for holder in holders {
      try set("price", .int(patch.price), at: variants, patch.variantID, in: holder.place)
    }
  }

  private func holders(
    of held: EntityHolder.Held, _ id: Int
  ) throws -> [(place: Int, kind: Int)] {
    try holders.all(.int(Int(held.rawValue)), .int(id)) { ($0.int(0), $0.int(1)) }
  }

  private func set(
    _ field: String, _ value: SQLArgument, at paths: DocumentStatement, _ id: Int, in place: Int
  ) throws {
    for path in try paths.all(.int(place), .int(id), taking: { $0.text(0) }) {
      try change.run(.text("\(path).\(field)"), value, .int(place))
    }
  }
}

/// A statement prepared once, run through SQLite's C API; whoever prepared it finalises it.
struct DocumentStatement {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// Runs it; how many rows it changed is ``changes``.
  func run(_ arguments: SQLArgument...) throws {
    _ = try rows(arguments) { _ in true }
  }

  /// The rows that it gives, taken one by one.
  func all<Value>(
    _ arguments: SQLArgument..., taking: (DocumentRow) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try rows(arguments) {
      values.append(try taking($0))
      return true
    }
    return values
  }

  /// Its first row; the others are not looked for.
  func first<Value>(
    _ arguments: SQLArgument..., taking: (DocumentRow) throws -> Value
  ) throws -> Value? {
    var value: Value?
    try rows(arguments) {
      value = try taking($0)
      return false
    }
    return value
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE of the connection changed.
  var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(statement))) }

  private func rows(
    _ arguments: [SQLArgument], _ take: (DocumentRow) throws -> Bool
  ) throws {
    defer { sqlite3_reset(statement) }
    for (index, argument) in arguments.enumerated() {
      try check(argument.bind(to: statement, Int32(index + 1)), is: SQLITE_OK)
    }
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else { return try check(code, is: SQLITE_DONE) }
      guard try take(DocumentRow(statement)) else { return }
    }
  }

  private func check(_ code: Int32, is expected: Int32) throws {
    guard code == expected else {
      throw SQLiteFailure(code: code, on: sqlite3_db_handle(statement))
    }
  }
}

/// The current row of a statement.
struct DocumentRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// A whole number.
  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  /// The bytes of a text, copied.
  func data(_ column: Int32) -> Data {
    // The length is asked after the text, which is what may convert (sqlite.org/c3ref/column_blob).
    guard let start = sqlite3_column_text(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// A text.
  func text(_ column: Int32) -> String { String(decoding: data(column), as: UTF8.self) }
}

/// A value for a parameter of a statement.
enum SQLArgument {
  /// A whole number.
  case int(Int)
  /// A text.
  case text(String)
  /// A text, as its UTF-8.
  case body(Data)

  /// SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies before it returns.
  static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// Binds the value; gives SQLite's result code.
  func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
    switch self {
    case .int(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    case .text(var text):
      return text.withUTF8 { bind(UnsafeRawBufferPointer($0), statement, index) }
    case .body(let data): return data.withUnsafeBytes { bind($0, statement, index) }
    }
  }

  private func bind(
    _ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ index: Int32
  ) -> Int32 {
    // A null address would bind NULL instead of an empty text.
    let start = bytes.isEmpty ? nil : bytes.assumingMemoryBound(to: CChar.self).baseAddress
    guard let start else {
      return sqlite3_bind_text64(statement, index, "", 0, Self.copied, UInt8(SQLITE_UTF8))
    }
    return sqlite3_bind_text64(
      statement, index, start, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
  }
}

/// `name_key(json)`: the ``NameSearch/key(_:)`` of a name given as a JSON text, for a generated
/// column and its index; NULL for anything else.
///
/// Registered by SQLite's C API: GRDB ends a function's text at the first NUL. It depends on nothing
/// but its argument and does nothing else, which SQLite wants to know of a function in a schema
/// (sqlite.org/deterministic.html, sqlite.org/c3ref/c_deterministic.html).
enum NameKeyFunction {
  /// Makes the function known to a connection.
  static func register(on connection: OpaquePointer?) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, "name_key", 1, flags, nil,
      { context, _, values in NameKeyFunction.run(context, values) }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, on: connection) }
  }

  private static func run(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let value = arguments?[0], let start = sqlite3_value_text(value) else {
      return sqlite3_result_null(context)
    }
    let count = Int(sqlite3_value_bytes(value))
    guard let name = name(UnsafeBufferPointer(start: start, count: count)) else {
      return sqlite3_result_null(context)
    }
    var key = NameSearch.key(name)
    key.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // A null address would give NULL instead of an empty text.
        guard let start = $0.baseAddress, !$0.isEmpty else {
          return sqlite3_result_text64(context, "", 0, SQLArgument.copied, UInt8(SQLITE_UTF8))
        }
        sqlite3_result_text64(
          context, start, UInt64($0.count), SQLArgument.copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// The text that a JSON text stands for; most have no escapes and are their own.
  private static func name(_ json: UnsafeBufferPointer<UInt8>) -> String? {
    let quote = UInt8(ascii: "\"")
    guard json.count >= 2, json.first == quote, json.last == quote else { return nil }
    guard json.contains(UInt8(ascii: "\\")) else {
      return String(decoding: json[1..<(json.count - 1)], as: UTF8.self)
    }
    return try? decoder.decode(String.self, from: Data(json))
  }

  private static let decoder = JSONDecoder()
}
