import BackendKit
import Basics
import Foundation
import GRDB
import GRDBSQLite
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite-records`: GRDB's `Codable` records and associations.
  public static var sqliteRecords: Self {
    Self(
      id: "sqlite-records", summary: "SQLite by GRDB's Codable records and associations",
      caveat:
        "sqlite-records shows the cost of convenience. It has the tables of sqlite, but encodes a "
        + "record by name to insert it. including(all:) copies a row and looks up its columns by "
        + "name. Its open starts SQLite's log, because GRDB's pool needs it. Foreign keys are "
        + "enforced, as GRDB sets them, so deleting reads and journals each row",
      flushedFrom: .durable, library: .grdb, promises: .durable
    ) { try SQLiteRecordsBackend($0) }
    .advised([
      Advice(
        "a Codable record type per table, associations for related records",
        source: "https://swiftpackageindex.com/groue/GRDB.swift/documentation/grdb/"
          + "recordrecommendedpractices"),
      Advice(
        "records by hand where fetching must be fast",
        source: "https://github.com/groue/GRDB.swift#examples-of-record-definitions",
        here: "not followed: that is sqlite-grdb"),
    ])
  }
}

/// A menu stored as GRDB's documentation recommends: one `Codable` record type per table, with
/// associations that fetch related records ("Recommended Practices for Designing Record Types" and
/// "Associations Basics" of GRDB 7).
///
/// The tables are those of `sqlite` with GRDB's names, so the two differ only in the access.
package final class SQLiteRecordsBackend: Backend {
  let path: String
  private let timeLimit: Int
  /// A `DatabasePool`, or a `DatabaseQueue` at durability `none`. Nil once closed.
  private var database: (any DatabaseWriter)?
  /// Nil until checkpoints are deferred for the first time.
  private var log: WriteAheadLog?

  /// Opens or creates `menu.sqlite` in the store's folder and migrates it.
  ///
  /// - Parameter timeLimit: How long a connection waits for a lock, in milliseconds.
  /// - Throws: ``StoreError`` if the file is not a database, was migrated by a newer program, or has
  ///   the tables of another backend or program.
  package init(_ store: StoreContext, timeLimit: Int = StoreSettings.busyTimeout) throws {
    let path = store.path("menu.sqlite")
    self.path = path
    self.timeLimit = timeLimit
    database = try storing("open", path, timeLimit: timeLimit) {
      try RecordStore.open(path: path, store.durability, timeLimit: timeLimit)
    }
  }

  /// Creates another backend on the same connections.
  init(sharing database: any DatabaseWriter, of other: SQLiteRecordsBackend) {
    path = other.path
    timeLimit = other.timeLimit
    self.database = database
  }

  /// Converts the menu into records.
  ///
  /// - Throws: ``StoreError`` if an embedded product differs from the menu's own product of that id:
  ///   a product is one record.
  package func encode(_ document: Menu) throws -> MenuRecords { try MenuRecords(document) }

  /// Replaces all records in one transaction. After an error the old menu is still there.
  package func write(_ payload: MenuRecords) throws {
    try accessing("write") { try $0.write { try payload.replace(in: $0) } }
  }

  /// Reads every record in one transaction.
  package func read() throws -> MenuRecords { try reading { try MenuRecords.fetch($0) } }

  /// Builds the menu. Throws ``StoreError`` if records contradict each other.
  package func decode(_ payload: MenuRecords) throws -> Menu { try payload.whole() }

  /// The bytes of the values bound: 8 for a number, the UTF-8 length of a text, 0 for NULL.
  package func size(of payload: MenuRecords) -> Size {
    var counter = RecordCounter()
    do {
      try payload.put(into: &counter)
      return .bytes(counter.bytes)
    } catch {
      let reason = (error as? EncodingError)?.briefly ?? systemReason(error)
      return .unsupported("a record can't be encoded: \(reason)")
    }
  }

  /// Drops the cached pages of the writer and of a reader. The connections and prepared statements
  /// stay, as in an app. GRDB's own `releaseMemory` would drop them too.
  package func dropCaches() throws {
    try accessing("drop caches of") { database in
      database.writeWithoutTransaction { _ = sqlite3_db_release_memory($0.sqliteConnection) }
      try database.unsafeRead { _ = sqlite3_db_release_memory($0.sqliteConnection) }
    }
  }

  /// Releases the connections. The last reference closes the readers and then the writer, which removes
  /// the log. (`DatabasePool.close()` closes the writer first, so the log stays.)
  package func close() throws { database = nil }

  func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try accessing("read") { try $0.read(body) }
  }

  /// Runs an operation on the database, if it is open.
  func accessing<Result>(
    _ operation: String, _ body: (any DatabaseWriter) throws -> Result
  ) throws -> Result {
    try storing(operation, path, timeLimit: timeLimit) {
      guard let database else { throw SQLiteFailure("the store is closed") }
      return try body(database)
    }
  }
}

extension SQLiteRecordsBackend: ProductReading, ComboReading, FirstScreenReading {
  /// Fetches the product with everything that belongs to it: one statement per association.
  package func product(_ id: Int) throws -> Product? {
    try part { db in
      try ProductInfo.request(ProductRecord.filter(id: id)).fetchOne(db)?.whole()
    }
  }

  /// Reads a part. Returns nil if the menu does not have it, and throws if no menu was written.
  private func part<Part>(_ body: (Database) throws -> Part?) throws -> Part? {
    try reading { db in
      if let part = try body(db) { return part }
      _ = try MenuRecord.stored(db)
      return nil
    }
  }

  /// Fetches slots, options and shared lists in one request, and the products in another.
  package func combo(_ id: Int) throws -> ResolvedCombo? {
    try part { db in
      let request = ResolvedComboInfo.request(ComboRecord.filter(id: id))
      guard let combo = try request.fetchOne(db) else { return nil }
      let products = ProductRecord.filter(ids: combo.productIds)
      return try combo.resolved(
        try ProductInfo.request(products).fetchAll(db).map { try $0.whole() })
    }
  }

  /// Fetches the categories, the products of one with the prices and pictures of their variants, and
  /// the first combos.
  package func firstScreen() throws -> FirstScreen {
    try reading { db in
      _ = try MenuRecord.stored(db)
      return try FirstScreen(db)
    }
  }
}

extension SQLiteRecordsBackend: NameSearching, ProductFiltering {
  /// Finds products with the index of the name keys, in its order.
  package func products(named query: String) throws -> [Int] {
    try part { db -> [Int]? in
      let found = try Int.fetchAll(db, NameKeys.search(query))
      return found.isEmpty ? nil : found
    } ?? []
  }

  /// Fetches the category's products with their variants and the stop list, and filters them in Swift.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    try reading { db in
      _ = try MenuRecord.stored(db)
      let shelf = try ProductInfo.request(ProductRecord.shown(by: filter.categoryID)).fetchAll(db)
      let stops = try StopListRecord.fetchAll(db)
      return filter.products(
        among: try shelf.map { try $0.whole() },
        stopList: stops.map { StopListEntry(entity: $0.entity, entityID: $0.entityId) })
    }
  }
}

extension SQLiteRecordsBackend: MenuPatching {
  /// Fetches the records to change and updates their changed columns, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    try accessing("write") { try $0.write { try patch.update($0) } }
  }
}

extension SQLiteRecordsBackend: ConcurrentReading {
  /// Creates another backend on the same connections, which GRDB shares between threads. Readers do not
  /// wait for the writer. At durability `none` there is only one connection, so they take turns.
  package func openReader() throws -> any Backend<Menu> {
    try accessing("open") { SQLiteRecordsBackend(sharing: $0, of: self) }
  }
}

extension SQLiteRecordsBackend: LogKeeping, Compacting {
  /// Defers checkpoints of the writer's log. At durability `none` there is a queue without a log.
  package func deferCheckpoints(_ isDeferred: Bool) throws {
    try accessing("watch the log of") { database in
      guard database is DatabasePool else { return }
      let log = log ?? database.writeWithoutTransaction { WriteAheadLog(on: $0.sqliteConnection) }
      log.isDeferred = isDeferred
      self.log = log
    }
  }

  package var logFill: Double? { log?.fill }

  /// Runs a checkpoint on the writer's connection, as its commits do.
  package func checkpoint() throws {
    try accessing("checkpoint") { database in
      try database.writeWithoutTransaction { try log?.checkpoint($0.sqliteConnection) }
    }
  }

  /// Runs VACUUM and a checkpoint that truncates the log.
  package func compact() throws {
    try accessing("compact") { try $0.writeWithoutTransaction { try $0.compact() } }
  }
}

extension SQLiteRecordsBackend: SchemaChanging {
  /// GRDB's migrations upgrade an older store and refuse a newer one.
  package func route(across change: SchemaChange) -> Route {
    change == .back ? .refetched : .native
  }

  /// Saves records of this program, then undoes a migration or runs a newer one.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try save(menu)
    try accessing("change the schema of") { try RecordSchema.leave($0, across: change) }
  }
}

/// Opens the database of the records.
enum RecordStore {
  /// Opens or creates a database, sets it up and migrates it.
  ///
  /// `atomic` and `durable` use WAL, so the readers of a pool do not wait for its writer. `none` keeps
  /// its journal in memory, which a pool does not support, so it gets a queue with one connection.
  ///
  /// - Parameter timeLimit: How long a connection waits for a lock, in milliseconds.
  /// - Throws: ``SQLiteFailure`` if the database belongs to another backend or a newer program.
  static func open(
    path: String, _ durability: Durability, timeLimit: Int
  ) throws -> any DatabaseWriter {
    let configuration = configuration(timeLimit)
    let database: any DatabaseWriter =
      durability == .none
      ? try DatabaseQueue(path: path, configuration: configuration)
      : try DatabasePool(path: path, configuration: configuration)
    // After opening, because a pool sets `synchronous` itself.
    try database.writeWithoutTransaction { try StoreSettings.apply(durability, to: $0) }
    try RecordSchema.migrator.migrate(database)
    return database
  }

  private static func configuration(_ timeLimit: Int) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(timeLimit) / 1_000)
    // Dropping caches must drop pages, not connections.
    configuration.persistentReadOnlyConnections = true
    configuration.prepareDatabase { db in
      db.add(function: NameKeys.function)
      if db.configuration.readonly {
        // A pool gives its readers a longer timeout.
        try db.execute(sql: "PRAGMA busy_timeout = \(timeLimit)")
      } else {
        try RecordSchema.check(db)
      }
    }
    return configuration
  }
}

/// The keys of products' names and their index, which is in the order of results. SQLite's LIKE does
/// not match parts of a name as `NameSearch` does.
enum NameKeys {
  /// `nameKey(name)`: returns the key of a stored name as a blob, because GRDB cuts a returned text at
  /// the first NUL.
  static let function = DatabaseFunction("nameKey", argumentCount: 1, pure: true) { values in
    try String.fromDatabaseValue(values[0]).map { Data(NameSearch.key(try $0.restored()).utf8) }
  }

  static let migration = "indexProductNames"
  private static let index = "product_on_nameKey"

  static func makeIndex(_ db: Database) throws {
    try db.execute(sql: "CREATE INDEX \(index) ON product (nameKey(name), id)")
  }

  /// Drops the index and the record of its migration.
  static func dropIndex(_ db: Database) throws {
    try db.execute(sql: "DROP INDEX \(index)")
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE identifier = ?", arguments: [migration])
  }

  /// Requests the products whose names contain a query. SQLite scans only the index, without rows.
  static func search(_ query: String) -> SQLRequest<Int> {
    SQLRequest(
      sql: """
        SELECT id FROM product INDEXED BY \(index) WHERE instr(nameKey(name), ?) \
        ORDER BY nameKey(name), id
        """, arguments: [Data(NameSearch.key(query).utf8)], cached: true)
  }
}

extension MenuPatch {
  /// Updates the records that the patch names. Call it in a transaction.
  ///
  /// - Throws: `UnknownPatchTarget` if there is no such record, ``SQLiteFailure`` if nothing was
  ///   written.
  func update(_ db: Database) throws {
    var menu = try MenuRecord.stored(db)
    try updateProducts(db)
    try updateVariants(db)
    try updateStops(db)
    try menu.updateChanges(db) { $0.revision = revision }
  }

  private func updateProducts(_ db: Database) throws {
    let ids = availability.map(\.productID)
    var products = try byID(ProductRecord.filter(ids: ids).fetchAll(db))
    for change in availability {
      let id = change.productID
      try products.update(id, .product, db) { $0.availability = change.availability }
    }
  }

  private func updateVariants(_ db: Database) throws {
    let ids = prices.map(\.variantID)
    var variants = try byID(VariantRecord.filter(ids: ids).fetchAll(db))
    for change in prices {
      try variants.update(change.variantID, .variant, db) { $0.price = change.price }
    }
  }

  /// Fetches the stop list, changes it and replaces all of it, because it is short.
  private func updateStops(_ db: Database) throws {
    guard !stops.isEmpty else { return }
    for stop in stops {
      guard try stop.entity.record.exists(db, key: stop.entityID) else {
        throw UnknownPatchTarget(entity: stop.entity, id: stop.entityID)
      }
    }
    let list = try StopListRecord.all().ordered().fetchAll(db).map { try $0.entry() }
    try StopListRecord.deleteAll(db)
    for (position, entry) in stops.applied(to: list).enumerated() {
      try StopListRecord(entry, at: position).insert(db)
    }
  }

  private func byID<Record: Identifiable>(_ records: [Record]) -> [Record.ID: Record] {
    Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Entity {
  fileprivate var record: any StoredRecord.Type {
    switch self {
    case .category: CategoryRecord.self
    case .product: ProductRecord.self
    case .variant: VariantRecord.self
    case .ingredient: IngredientRecord.self
    case .modifierGroup: ModifierGroupRecord.self
    case .combo: ComboRecord.self
    case .slot: SlotRecord.self
    }
  }
}

extension Dictionary where Key == Int, Value: StoredRecord {
  /// Changes a record and updates the columns that changed.
  fileprivate mutating func update(
    _ id: Int, _ entity: Entity, _ db: Database, _ change: (inout Value) -> Void
  ) throws {
    guard var record = self[id] else { throw UnknownPatchTarget(entity: entity, id: id) }
    try record.updateChanges(db, modify: change)
    self[id] = record
  }
}
