import BackendKit
import GRDB
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite-document`: a row an entity, JSON text, by GRDB.
  public static var sqliteDocument: Self {
    Self(
      id: "sqlite-document",
      summary: "SQLite by GRDB: a row an entity, JSON text with generated columns and indexes",
      caveat: "sqlite-document copies its log into the database as sqlite does, and finds what a "
        + "price change touches by an index of variants that every write fills",
      flushedFrom: .durable, library: .grdb,
      promises: .durable
    ) { try SQLiteDocumentBackend($0) }
    .beyond(
      CodecAndPlace(codec: "json", place: "sqlite-row"),
      "keeps a row an entity, so that a part is read and changed without the rest"
    ).advised([
      Advice(
        "generated columns and indexes on what is looked for within JSON",
        source: "https://www.sqlite.org/gencol.html"),
      Advice(
        "JSONB, which needs no parsing, since 3.45", source: "https://www.sqlite.org/jsonb.html",
        here: "not followed: text, which older systems' SQLite reads too"),
    ])
  }
}

/// A menu as JSON documents in one SQLite table.
///
/// GRDB opens, sets up and serialises the one connection and runs the transactions; statements are
/// prepared when they are first needed and run through SQLite's C API, as in ``SQLiteBackend``.
package final class SQLiteDocumentBackend: Backend {
  let store: StoreConnection
  private var reading: DocumentStatements?
  private var replacing: DocumentReplacement?
  private var patching: PatchStatements?
  private let coder = EntityCoder.json()

  /// Opens or creates `menu.sqlite` in the store's folder.
  ///
  /// - Throws: ``StoreError`` where the file is no database, is of a newer or unknown schema, or
  ///   has tables of another's.
  package convenience init(_ store: StoreContext) throws {
    try self.init(Self.description(store))
  }

  init(_ description: StoreDescription) throws {
    store = try StoreConnection(description)
  }

  /// What a store of menus is.
  static func description(_ store: StoreContext) -> StoreDescription {
    StoreDescription(
      path: store.path("menu.sqlite"), durability: store.durability,
      schemas: DocumentSchema.stores, nameKey: .ofJSON)
  }

  /// The menu as entities in JSON.
  package func encode(_ document: Menu) throws -> MenuEntities { try MenuEntities(document, coder) }

  /// Replaces the rows of the old menu in one transaction; an error leaves the old menu.
  package func write(_ payload: MenuEntities) throws {
    let statements = try store.prepared(&replacing, for: "write") {
      try DocumentReplacement(prepare: $0)
    }
    try store.transact("write", .immediate) { _ in try statements.replace(with: payload) }
  }

  /// Every row, in one transaction.
  package func read() throws -> MenuEntities {
    let statements = try statements(for: "read")
    return try store.transact("read", .deferred) { _ in try statements.fetch() }
  }

  /// The menu that the entities hold.
  ///
  /// - Throws: ``StoreError`` where one is no JSON of its kind, or is missing.
  package func decode(_ payload: MenuEntities) throws -> Menu { try Menu(payload, coder) }

  /// The bytes of the JSON.
  package func size(of payload: MenuEntities) -> Size { .bytes(payload.bytes) }

  /// Drops SQLite's cached pages; the statements stay prepared.
  package func dropCaches() throws { store.releaseMemory() }

  /// Finalises the statements and closes the connection, which ends the log.
  package func close() throws { try store.close() }

  /// The statements that read, prepared if they aren't yet.
  private func statements(for operation: String) throws -> DocumentStatements {
    try store.prepared(&reading, for: operation) { try DocumentStatements(prepare: $0) }
  }
}

extension SQLiteDocumentBackend: ProductReading, ComboReading, MenuPatching, NameSearching {
  /// The product's row, decoded.
  package func product(_ id: Int) throws -> Product? {
    try part { try $0.product(id, coder) }
  }

  /// The combo's row and those of its lists and products, decoded, in one transaction.
  package func combo(_ id: Int) throws -> ResolvedCombo? {
    try part { try $0.combo(id, coder) }
  }

  /// Changes the JSON of the rows that hold what the patch names, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    var statements = try statements(for: "patch")
    let changes = try store.prepared(&patching, for: "patch") { try PatchStatements(prepare: $0) }
    try store.transact("patch", .immediate) { _ in
      try statements.checkWritten()
      try statements.apply(patch, coder, by: changes)
    }
  }

  /// A walk through the index of names; no row is read.
  package func products(named query: String) throws -> [Int] {
    let statements = try statements(for: "search")
    return try store.transact("search", .deferred) { _ in
      try statements.checkWritten()
      return try statements.products(withKey: NameSearch.key(query))
    }
  }

  private func part<Part>(_ body: (inout DocumentStatements) throws -> Part?) throws -> Part? {
    var statements = try statements(for: "read")
    return try store.transact("read", .deferred) { _ in
      if let part = try body(&statements) { return part }
      try statements.checkWritten()
      return nil
    }
  }
}

extension SQLiteDocumentBackend: ProductFiltering {
  /// The rows of the category's shelf, decoded and filtered here, in one transaction.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    var statements = try statements(for: "search")
    return try store.transact("search", .deferred) { _ in
      try statements.checkWritten()
      return try statements.products(passing: filter, coder)
    }
  }
}

extension SQLiteDocumentBackend: FirstScreenReading {
  /// The rows shown, decoded, in one transaction; a table leads to the products of the shelf.
  package func firstScreen() throws -> FirstScreen {
    var statements = try statements(for: "read")
    return try store.transact("read", .deferred) { _ in
      try statements.checkWritten()
      return try statements.firstScreen(coder)
    }
  }
}

extension SQLiteDocumentBackend: ConcurrentReading {
  /// A second connection, which only reads. While durability is `none` there is no log: it waits for a
  /// writer, and a writer for it, but sees no torn menu either.
  package func openReader() throws -> any Backend<Menu> {
    try SQLiteDocumentBackend(store.description.reader)
  }
}

extension SQLiteDocumentBackend: Compacting {
  /// By VACUUM and a checkpoint that empties the log.
  package func compact() throws { try store.compact() }
}

extension SQLiteDocumentBackend: SchemaChanging {
  /// A product's JSON that lacks what is indexed is changed by SQL when the store is opened; what is
  /// merely absent or more is left to the decoder.
  package func route(across change: SchemaChange) -> Route {
    DocumentSchema.upgrade(across: change).isEmpty ? .asItIs : .native
  }

  /// As the other program's entities.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try write(MenuEntities(menu, across: change, coder))
    guard route(across: change) == .native else { return }
    try store.change(by: [], version: change.schema)
  }
}

/// The schema of a document store: a row an entity, and an index of what patches look for.
///
/// Text functions of SQLite's JSON only: 3.40 has no JSONB. `json_extract` ends a text at its first
/// NUL (seen in 3.40.1), so names are taken as JSON, by `->`, which copies the text as it stands.
enum DocumentSchema {
  /// This program's, and those of older ones, whose opening changes the JSON.
  static let stores =
    [store(SchemaChange.currentSchema)]
    + SchemaChange.allCases.compactMap { change in
      let upgrade = upgrade(across: change)
      return upgrade.isEmpty ? nil : store(change.schema, upgrade)
    }

  /// `MBED` in ASCII.
  private static func store(_ version: Int, _ upgrade: [String] = []) -> StoreSchema {
    StoreSchema(
      content: "a document", owner: 0x4D42_4544, version: version, creation: statements,
      upgrade: upgrade)
  }

  /// What brings the products of an older program up to date; the few copies that options embed are
  /// read as they are.
  static func upgrade(across change: SchemaChange) -> [String] {
    switch change {
    case .optional, .back: []
    case .required: [update("json_set(body, '$.kind', \(kind))")]
    case .split:
      [update("json_remove(json_set(body, '$.name', \(name), '$.details', \(details)), '$.label')")]
    case .type: [update("json_set(body, '$.variants', json((\(variants))))")]
    }
  }

  private static func update(_ body: String) -> String {
    "UPDATE entity SET body = \(body) WHERE kind = \(product)"
  }

  private static let kind = """
    CASE WHEN EXISTS (SELECT 1 FROM json_each(body, '$.variants') \
    WHERE json_extract(value, '$.dough') IS NOT NULL) THEN 'pizza' ELSE 'other' END
    """
  // The label is cut as the JSON that it is, quotes and all: JSON escapes neither `:` nor a space.
  private static let end = "instr(body -> '$.label', ': ')"
  private static let name = """
    json(CASE \(end) WHEN 0 THEN body -> '$.label' \
    ELSE substr(body -> '$.label', 1, \(end) - 1) || '"' END)
    """
  private static let details = """
    json(CASE \(end) WHEN 0 THEN '""' ELSE '"' || substr(body -> '$.label', \(end) + 2) END)
    """
  private static let variants = """
    SELECT json_group_array(json(json_remove(json_set(value, '$.price', \
    CAST(ROUND(json_extract(value, '$.amount') * 100) AS INTEGER)), '$.amount'))) \
    FROM json_each(body, '$.variants')
    """

  /// The generated column looks at products alone: SQLite computes it for every row inserted, and nobody
  /// asks for a combo's. Shelves are a table, since a product may stand on several.
  private static let statements = [
    """
    CREATE TABLE entity (place INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id INTEGER NOT NULL, \
    position INTEGER NOT NULL, body TEXT NOT NULL, \
    name_key TEXT AS (CASE kind WHEN \(product) THEN name_key(body -> '$.name') END) VIRTUAL) STRICT
    """,
    "CREATE UNIQUE INDEX entity_key ON entity (kind, id, position)",
    "CREATE INDEX entity_name ON entity (name_key, id) WHERE kind = \(product)",
    """
    CREATE TABLE shelf (category_id INTEGER NOT NULL, position INTEGER NOT NULL, \
    product_id INTEGER NOT NULL, PRIMARY KEY (category_id, position)) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE holder (held INTEGER NOT NULL, id INTEGER NOT NULL, entity INTEGER NOT NULL, \
    PRIMARY KEY (held, id, entity)) STRICT, WITHOUT ROWID
    """,
  ]

  private static var product: UInt8 { EntityKind.product.rawValue }
}
