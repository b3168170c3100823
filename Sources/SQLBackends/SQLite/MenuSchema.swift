import BackendKit
import MenuModel

/// The schema of the `sqlite` backend and the upgrades from older schemas.
enum MenuSchema {
  /// Every schema that a store may have. First comes this program's, as created and as each upgrade
  /// leaves it. Then come those of older programs, which are upgraded when a store is opened.
  static let stores: [StoreSchema] =
    [store(SchemaChange.currentSchema)]
    + older.map { store(SchemaChange.currentSchema, home($0).changed) }
    + older.map { store($0.schema, away(across: $0).changed, upgrade: home($0).statements) }

  private static let older = SchemaChange.allCases.filter { $0 != .back }

  /// Changes this program's tables to those on the other side of a change.
  static func away(across change: SchemaChange) -> TableChange {
    switch change {
    case .optional: TableChange(table: product, gains: [], losses: columns(["code"], of: product))
    case .required: TableChange(table: product, gains: [], losses: columns(["kind"], of: product))
    case .split:
      TableChange(
        table: product, gains: [.init(column: label, value: "name || ': ' || details")],
        losses: columns(["name", "details"], of: product))
    case .type:
      TableChange(
        table: variant, gains: [.init(column: amount, value: "price / 100.0")],
        losses: columns(["price"], of: variant))
    case .back:
      TableChange(
        table: product, gains: [.init(column: Column(name: "rating", type: "INTEGER"), value: "5")],
        losses: [])
    }
  }

  /// Changes the tables of an older program to this program's.
  private static func home(_ change: SchemaChange) -> TableChange {
    let table = away(across: change).changed
    switch change {
    case .optional, .back:
      return TableChange(table: table, gains: gains(["code": nil], of: product), losses: [])
    case .required:
      let isPizza = "SELECT 1 FROM variant WHERE product_id = product.id AND dough IS NOT NULL"
      let kind = "CASE WHEN EXISTS (\(isPizza)) THEN 'pizza' ELSE 'other' END"
      return TableChange(table: table, gains: gains(["kind": kind], of: product), losses: [])
    case .split:
      return TableChange(
        table: table, gains: gains(["name": name, "details": details], of: product),
        losses: [label], indexes: product.indexes)
    case .type:
      let price = "CAST(ROUND(amount * 100) AS INTEGER)"
      return TableChange(
        table: table, gains: gains(["price": price], of: variant), losses: [amount])
    }
  }
}

extension MenuSchema {
  private static let product = ProductRow.table
  private static let variant = VariantRow.table
  private static let label = Column(name: "label", type: "TEXT NOT NULL DEFAULT ''")
  private static let amount = Column(name: "amount", type: "REAL NOT NULL DEFAULT 0")

  // Casts to BLOB, because on a text these functions stop at the first NUL.
  private static let end = "instr(CAST(label AS BLOB), CAST(': ' AS BLOB))"
  private static let name =
    "CASE \(end) WHEN 0 THEN label ELSE CAST(substr(CAST(label AS BLOB), 1, \(end) - 1) AS TEXT) END"
  private static let details =
    "CASE \(end) WHEN 0 THEN '' ELSE CAST(substr(CAST(label AS BLOB), \(end) + 2) AS TEXT) END"

  private static func columns(_ names: [String], of table: Table) -> [Column] {
    table.columns.filter { names.contains($0.name) }
  }

  /// A NOT NULL column gets a default, because it is added before it is filled.
  private static func gains(_ values: [String: String?], of table: Table) -> [TableChange.Gain] {
    table.columns.compactMap { column in
      guard let value = values[column.name] else { return nil }
      let standard = column.type.hasPrefix("INTEGER") ? "0" : "''"
      let type = value == nil ? column.type : "\(column.type) DEFAULT \(standard)"
      return TableChange.Gain(column: Column(name: column.name, type: type), value: value)
    }
  }

  private static func store(
    _ version: Int, _ changed: Table? = nil, upgrade: [String] = []
  ) -> StoreSchema {
    // The first program that wrote such databases set no application_id.
    StoreSchema(
      content: "a menu", owner: 0, version: version,
      creation: MenuRows.tables.flatMap { table in
        (table.table.name == changed?.name ? changed : table.table)?.creation ?? []
      }, upgrade: upgrade)
  }
}

/// A backend that keeps a menu in the tables of ``MenuSchema``.
protocol MenuTablesBackend: ConnectionBackend, ConcurrentReading, SchemaChanging
where Payload == MenuRows {
  init(_ description: StoreDescription) throws
}

extension MenuTablesBackend {
  /// Converts the menu into rows.
  ///
  /// - Throws: ``StoreError`` if an embedded product differs from the menu's own product of that id:
  ///   the schema stores a product once.
  package func encode(_ document: Menu) throws -> MenuRows { try MenuRows(document) }

  /// Builds a menu. Throws ``StoreError`` if rows contradict each other.
  package func decode(_ payload: MenuRows) throws -> Menu { try Menu(payload) }

  /// The bytes of the values bound: 8 for a number, the UTF-8 length of a text, 0 for NULL.
  package func size(of payload: MenuRows) -> Size { .bytes(payload.bytes) }

  /// Opens a connection that only reads.
  ///
  /// At `atomic` and `durable` it reads the last commit in the log while the other connection writes,
  /// and neither waits. At `none` there is no log, so a reader and a writer wait for each other, up to
  /// `StoreSettings.busyTimeout`.
  package func openReader() throws -> any Backend<Menu> { try Self(store.description.reader) }

  /// SQL upgrades an older store when it is opened. A newer one is refused by its version number.
  package func route(across change: SchemaChange) -> Route {
    change == .back ? .refetched : .native
  }

  /// Saves rows of this program, then changes the tables.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try save(menu)
    try store.change(by: MenuSchema.away(across: change).statements, version: change.schema)
  }
}
