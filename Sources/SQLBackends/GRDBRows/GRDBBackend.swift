import BackendKit
import Foundation
import GRDB
import MenuModel

extension BackendEntry where Document == Menu {
  /// `sqlite-grdb`: GRDB records without `Codable`.
  public static var sqliteGRDB: Self {
    Self(
      id: "sqlite-grdb",
      summary: "SQLite by GRDB alone: cached INSERTs, fetchAll per table, columns by index",
      caveat:
        "sqlite-grdb has the tables of sqlite, but another way to them. GRDB gets the values of "
        + "each statement in an array and decodes each row. It copies its log as sqlite does",
      flushedFrom: .durable, library: .grdb, promises: .durable
    ) { try GRDBBackend($0) }
    .advised([
      Advice(
        "a plain struct with an init(row:) that takes columns by numeric index, for fast fetches",
        source: "https://github.com/groue/GRDB.swift#examples-of-record-definitions"),
      Advice(
        "cached statements for repeated work",
        source: "https://github.com/groue/GRDB.swift#prepared-statements"),
      Advice(
        "one statement with unchecked arguments by position for thousands of inserts",
        source: "https://github.com/groue/GRDB.swift/blob/master/Tests/Performance/GRDBPerformance/"
          + "InsertRecordOptimizedTests.swift",
        here: "followed, with sixteen rows a statement as sqlite has"),
      Advice(
        "a DatabasePool where reads and writes run side by side",
        source:
          "https://swiftpackageindex.com/groue/GRDB.swift/documentation/grdb/databaseconnections",
        here: "a queue, and a connection of its own for each reader"),
    ])
  }
}

/// A menu in the tables of ``SQLiteBackend``, through GRDB alone, as its author recommends for speed.
///
/// Records are plain structs without `Codable`: `init(row:)` takes columns by index. A menu is read by
/// one `fetchAll` per table and grouped in Swift, without associations (GRDB's "Performance" wiki page,
/// and its README on records). It is written by cached statements, as in GRDB's performance tests.
package final class GRDBBackend: Backend, MenuTablesBackend {
  let store: StoreConnection

  /// Opens or creates `menu.sqlite` in the store's folder.
  ///
  /// - Throws: ``StoreError`` if the file is not a database, has a newer or unknown schema, or has
  ///   the tables of another backend or program.
  package convenience init(_ store: StoreContext) throws {
    var description = SQLiteBackend.description(store)
    description.nameKey = .ofRecord
    try self.init(description)
  }

  init(_ description: StoreDescription) throws { store = try StoreConnection(description) }

  /// Replaces the old records in one transaction. After an error the old menu is still there.
  package func write(_ payload: MenuRows) throws {
    try store.transact("write", .immediate) { db in
      for table in MenuRows.tables { try table.deleteRecords(db) }
      for table in MenuRows.tables { try table.insertRecords(payload, db) }
      // Not GRDB's `checkForeignKeys`, which prepares its statement each time.
      let check = SQLRequest<Row>(sql: "PRAGMA foreign_key_check", cached: true)
      if let key = try check.fetchOne(db) {
        throw SQLiteFailure(danglingIn: key[0], row: key[1], parent: key[2])
      }
    }
  }

  /// Reads every record in one transaction, with one `fetchAll` per table.
  package func read() throws -> MenuRows {
    try store.transact("read", .deferred) { db in
      try MenuRows.tables.reduce(into: MenuRows()) { try $1.fetchRecords(nil, [], db, &$0) }
        .written()
    }
  }

  /// Runs requests on one state of the store. Throws if no menu was written.
  private func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try store.transact("read", .deferred) { db in
      try checkWritten(db)
      return try body(db)
    }
  }

  /// Reads a part. Returns nil if the menu does not have it, and throws if no menu was written.
  private func part<Part>(_ body: (Database) throws -> Part?) throws -> Part? {
    try store.transact("read", .deferred) { db in
      if let part = try body(db) { return part }
      try checkWritten(db)
      return nil
    }
  }

  private func checkWritten(_ db: Database) throws {
    guard try RowRecord<MenuRow>.request().fetchOne(db) != nil else {
      throw SQLiteFailure.nothingWritten
    }
  }

  private func rows(
    of part: [PartTable], _ arguments: StatementArguments, _ db: Database
  ) throws -> MenuRows {
    try part.reduce(into: MenuRows()) {
      try $1.table.fetchRecords($1.condition, arguments, db, &$0)
    }
  }
}

extension GRDBBackend: ProductReading, ComboReading, FirstScreenReading {
  package func product(_ id: Int) throws -> Product? {
    try part { try rows(of: PartTable.product, [id], $0).products.products().first }
  }

  package func combo(_ id: Int) throws -> ResolvedCombo? {
    try part { try rows(of: PartTable.combo, [id], $0).combo(id) }
  }

  package func firstScreen() throws -> FirstScreen {
    try reading { db in
      let categories = try RowRecord<CategoryRow>.request().fetchAll(db).map(\.fields)
      return FirstScreen(
        categories: MenuRows(categories: categories).categoryList,
        products: try CardRecord.cards(db, sql: ScreenStatements.products),
        combos: try CardRecord.cards(db, sql: ScreenStatements.combos))
    }
  }
}

extension GRDBBackend: NameSearching, ProductFiltering {
  /// Finds products with SQLite's `instr` in the name keys, which an index contains.
  package func products(named query: String) throws -> [Int] {
    try reading { db in
      // Binds the key as a blob, because GRDB cuts a text at its first NUL.
      let key = Data(NameSearch.key(query).utf8)
      return try Int.fetchAll(
        db, SQLRequest(sql: ProductQuery.names, arguments: [key], cached: true))
    }
  }

  package func products(passing filter: ProductFilter) throws -> [Int] {
    try reading { db in
      try Int.fetchAll(
        db,
        SQLRequest(
          sql: ProductQuery.shelf, arguments: [filter.categoryID, filter.priceUpTo],
          cached: true))
    }
  }
}

extension GRDBBackend: MenuPatching {
  /// Runs an UPDATE per change, with statements that GRDB caches, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    try store.transact("write", .immediate) { db in
      guard try changed(by: "UPDATE menu SET revision = ?", [patch.revision], db) > 0 else {
        throw SQLiteFailure.nothingWritten
      }
      for change in patch.availability {
        let found = try changed(
          by: "UPDATE product SET availability = ? WHERE id = ?",
          [change.availability.rawValue, change.productID], db)
        guard found > 0 else { throw UnknownPatchTarget(entity: .product, id: change.productID) }
      }
      for change in patch.prices {
        let found = try changed(
          by: "UPDATE variant SET price = ? WHERE id = ?", [change.price, change.variantID], db)
        guard found > 0 else { throw UnknownPatchTarget(entity: .variant, id: change.variantID) }
      }
      for change in patch.stops { try apply(change, db) }
    }
  }

  /// Updates or inserts the entry if the entity is stopped, and otherwise deletes the entry.
  private func apply(_ change: MenuPatch.StopChange, _ db: Database) throws {
    let thing = SQLRequest<Int>(
      sql: "SELECT 1 FROM \(change.entity.tableName) WHERE id = ?", arguments: [change.entityID],
      cached: true)
    guard try thing.fetchOne(db) != nil else {
      throw UnknownPatchTarget(entity: change.entity, id: change.entityID)
    }
    let (entity, id) = (change.entity.rawValue, change.entityID)
    guard change.isStopped else {
      _ = try changed(
        by: "DELETE FROM stop_list WHERE entity = ? AND entity_id = ?", [entity, id], db)
      return
    }
    let renewed = try changed(
      by: "UPDATE stop_list SET until = ? WHERE entity = ? AND entity_id = ?",
      [change.until?.stored, entity, id], db)
    guard renewed == 0 else { return }
    let next = SQLRequest<Int>(
      sql: "SELECT ifnull(max(position), -1) + 1 FROM stop_list", cached: true)
    let row = StopListRow(
      position: try next.fetchOne(db) ?? 0, entity: entity, entityID: id, until: change.until)
    try db.insert([row])
  }

  /// Runs a cached statement and returns how many rows it changed. `updateAll` would build and prepare
  /// its SQL each time.
  private func changed(
    by sql: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> Int {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
    return db.changesCount
  }
}
