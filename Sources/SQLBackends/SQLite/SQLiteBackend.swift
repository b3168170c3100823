import BackendKit
import GRDB
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite`: a normalised schema on a GRDB connection, with values bound through the C API.
  public static var sqlite: Self {
    sqlite(id: "sqlite").settable([
      BackendSetting(
        name: "mmap_size",
        summary: "the most bytes of the database that are mapped rather than read, 0 for none"
      ) { value in
        guard let bytes = Int(value), bytes >= 0 else { return nil }
        return sqlite(id: "sqlite:mmap_size=\(bytes)", mmapSize: bytes)
      }
    ])
  }

  private static func sqlite(id: String, mmapSize: Int = 0) -> Self {
    Self(
      id: id,
      summary: "SQLite bound by hand on GRDB's connection: table per type, one transaction",
      caveat:
        "sqlite copies its log into the database when a commit takes it past 1,000 pages. In a "
        + "workload without checkpoint-share, that one commit pays for all before it",
      flushedFrom: .durable, library: .grdb, promises: .durable
    ) { try SQLiteBackend($0, mmapSize: mmapSize) }
    .advised(SQLiteBackend.advice)
  }
}

extension SQLiteBackend {
  /// The recommendations of SQLite's authors to backends that store rows.
  static let advice = [
    Advice(
      "WAL with synchronous NORMAL", source: "https://www.sqlite.org/wal.html",
      here: "followed at atomic, FULL at durable"),
    Advice(
      "many INSERTs in one transaction", source: "https://www.sqlite.org/faq.html#q19"),
    Advice(
      "many small queries rather than one that joins everything",
      source: "https://www.sqlite.org/np1queryprob.html", here: "followed: a SELECT per table"),
    Advice(
      "a DELETE without a condition empties a table at once, unless foreign keys refer to it",
      source: "https://www.sqlite.org/lang_delete.html#the_truncate_optimization",
      here: "followed: foreign keys are checked as a whole before the commit"),
    Advice(
      "WITHOUT ROWID for keys of several columns, STRICT tables",
      source: "https://www.sqlite.org/withoutrowid.html"),
    Advice(
      "PRAGMA mmap_size, which may be faster and is off by default",
      source: "https://www.sqlite.org/mmap.html", here: "a setting, sqlite:mmap_size=BYTES"),
    Advice(
      "FTS5 with trigrams for pieces of texts, where LIKE and instr look at every row",
      source: "https://www.sqlite.org/fts5.html#the_trigram_tokenizer",
      here: "not followed: an index keeps the keys that instr looks at"),
    Advice(
      "PRAGMA optimize before closing",
      source: "https://www.sqlite.org/pragma.html#pragma_optimize",
      here: "not followed: every query uses a key, or an index whose use is tested"),
  ]
}

/// A menu in a normalised SQLite database: a table for each kind of entity and for each of its lists.
///
/// GRDB opens, sets up and serialises the one connection and runs the transactions. Rows are bound
/// and read through SQLite's C API. Statements are prepared for their first use and kept. A database
/// contains one menu.
package final class SQLiteBackend: Backend, MenuTablesBackend {
  let store: StoreConnection
  private var fetching: [PreparedStatement]?
  private var replacing: ReplaceStatements?
  private var productParts: PartStatements?
  private var comboParts: PartStatements?
  private var screen: ScreenStatements?
  private var searching: ProductQuery?
  private var filtering: ProductQuery?
  private var patching: MenuPatchStatements?

  /// Opens or creates `menu.sqlite` in the store's folder.
  ///
  /// - Throws: ``StoreError`` if the file is not a database, has a newer or unknown schema, or has
  ///   the tables of another backend or program.
  package convenience init(_ store: StoreContext, mmapSize: Int = 0) throws {
    var description = Self.description(store)
    description.mmapSize = mmapSize
    try self.init(description)
  }

  init(_ description: StoreDescription) throws { store = try StoreConnection(description) }

  /// Replaces the rows of the old menu in one transaction. After an error the old menu is still there.
  ///
  /// SQLite's automatic checkpoint runs in the commit that takes the log past 1,000 pages.
  package func write(_ payload: MenuRows) throws {
    let statements = try store.prepared(&replacing, for: "write") {
      try ReplaceStatements(prepare: $0)
    }
    try store.transact("write", .immediate) { _ in try statements.replace(with: payload) }
  }

  /// Reads every row in one transaction, with one SELECT per table.
  package func read() throws -> MenuRows {
    let selections = try store.prepared(&fetching) { prepare in
      try MenuRows.tables.map { try prepare($0.table.selection()) }
    }
    return try store.transact("read", .deferred) { _ in
      var rows = MenuRows()
      for (table, selection) in zip(MenuRows.tables, selections) {
        try table.select(selection, &rows)
      }
      return try rows.written()
    }
  }

  static func description(_ store: StoreContext) -> StoreDescription {
    StoreDescription(
      path: store.path("menu.sqlite"), durability: store.durability, schemas: MenuSchema.stores,
      foreignKeys: .checked, nameKey: .ofText)
  }
}

extension SQLiteBackend: ProductReading, ComboReading, NameSearching, ProductFiltering {
  package func product(_ id: Int) throws -> Product? {
    let statements = try store.prepared(&productParts) {
      try PartStatements(PartTable.product, prepare: $0)
    }
    return try store.run("read") { _ in try statements.rows(id).products.products().first }
  }

  package func combo(_ id: Int) throws -> ResolvedCombo? {
    let statements = try store.prepared(&comboParts) {
      try PartStatements(PartTable.combo, prepare: $0)
    }
    return try store.run("read") { _ in try statements.rows(id).combo(id) }
  }

  /// Finds products with SQLite's `instr` in the name keys, which an index contains.
  package func products(named query: String) throws -> [Int] {
    let names = try store.prepared(&searching, for: "search") {
      try ProductQuery(ProductQuery.names, prepare: $0)
    }
    let key = NameSearch.key(query)
    return try store.run("search") { _ in try names.ids { $0.put(key) } }
  }

  package func products(passing filter: ProductFilter) throws -> [Int] {
    let shelf = try store.prepared(&filtering, for: "search") {
      try ProductQuery(ProductQuery.shelf, prepare: $0)
    }
    return try store.run("search") { _ in
      try shelf.ids {
        $0.put(filter.categoryID)
        $0.put(filter.priceUpTo)
      }
    }
  }
}

extension SQLiteBackend: FirstScreenReading {
  package func firstScreen() throws -> FirstScreen {
    let statements = try store.prepared(&screen) { try ScreenStatements(prepare: $0) }
    return try store.run("read") { _ in try statements.screen() }
  }
}

extension SQLiteBackend: MenuPatching {
  /// Runs an UPDATE per change in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    let statements = try store.prepared(&patching, for: "write") {
      try MenuPatchStatements(prepare: $0)
    }
    try store.transact("write", .immediate) { _ in try statements.apply(patch) }
  }
}

/// The statements that replace a menu, prepared once for all writes.
struct ReplaceStatements {
  private let deletions: [PreparedStatement]
  private let insertions: [Insertion]
  private let danglingKeys: PreparedStatement

  init(prepare: (String) throws -> PreparedStatement) rethrows {
    let tables = MenuRows.tables.map(\.table)
    deletions = try tables.map { try prepare($0.deletion) }
    insertions = try tables.map { try Insertion(into: $0, prepare: prepare) }
    danglingKeys = try prepare("PRAGMA foreign_key_check")
  }

  /// Deletes the old menu, inserts the new one and checks the foreign keys. Call it in a transaction on
  /// a connection with ``ForeignKeys/checked``.
  func replace(with rows: MenuRows) throws {
    for deletion in deletions { try deletion.run() }
    for (table, insertion) in zip(MenuRows.tables, insertions) { try table.insert(rows, insertion) }
    let dangling = try danglingKeys.first { key in
      SQLiteFailure(
        danglingIn: try key.text(), row: try Int?(from: &key), parent: try key.text())
    }
    if let dangling { throw dangling }
  }
}
