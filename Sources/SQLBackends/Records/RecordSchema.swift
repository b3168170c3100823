import BackendKit
import GRDB
import MenuModel

/// The tables of the records, created by GRDB's migrations.
enum RecordSchema {
  /// The migrations, one per release that changed a table. An app runs them on every start, and a new
  /// store goes through all of them.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("createMenu", migrate: createTables)
    for change in SchemaChange.allCases where change != .back {
      migrator.registerMigration(identifier(of: change)) { try migrate($0, across: change) }
    }
    migrator.registerMigration(NameKeys.migration, migrate: NameKeys.makeIndex)
    migrator.registerMigration(furtherTables, migrate: createFurtherTables)
    // The first migration created no index for this key. Screens and filters use it now.
    migrator.registerMigration("indexProductCategories") { db in
      try db.create(index: "product_on_categoryId", on: "product", columns: ["categoryId"])
    }
    return migrator
  }()

  /// Checks a database before anything is changed.
  ///
  /// - Throws: ``SQLiteFailure`` if unknown migrations ran or if the tables are not those of this
  ///   backend.
  static func check(_ db: Database) throws {
    let tables = try Set(
      String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master
          WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
          """))
    guard !tables.isEmpty else { return }
    let applied = try migrator.appliedIdentifiers(db)
    guard try !migrator.hasBeenSuperseded(db) else {
      let newer = applied.subtracting(migrator.migrations).sorted().joined(separator: ", ")
      let last = migrator.migrations.last ?? "none"
      throw SQLiteFailure(
        "a newer program migrated it (\(newer)), and this program's last migration is \(last)")
    }
    guard tables == expected(applied) else { throw refusal(tables, applied) }
  }

  private static func expected(_ applied: Set<String>) -> Set<String> {
    let ours = applied.isEmpty ? [] : MenuRecords.tables.map { $0.databaseTableName }
    let missing = applied.contains(furtherTables) ? [] : further.map { $0.databaseTableName }
    return Set(ours + ["grdb_migrations"]).subtracting(missing)
  }

  private static func refusal(_ tables: Set<String>, _ applied: Set<String>) -> SQLiteFailure {
    guard applied.isEmpty else {
      let odd = tables.symmetricDifference(expected(applied)).sorted().joined(separator: ", ")
      return SQLiteFailure("its tables are not those of its migrations: \(odd)")
    }
    return SQLiteFailure(
      "not a store of records: no migration, and the tables "
        + tables.sorted().joined(separator: ", "))
  }

  /// Creates the tables of the first program.
  ///
  /// A foreign key has an index if a request follows it from the other end.
  @Sendable private static func createTables(_ db: Database) throws {
    let later = further.map { $0.databaseTableName }
    for table in MenuRecords.tables where !later.contains(table.databaseTableName) {
      try table.createTable(db)
    }
  }

  /// The migration that added further categories, hours, allergens, nested modifiers, prices by order
  /// type and store overrides.
  private static let furtherTables = "addWhatRealMenusHave"

  private static let further: [any StoredRecord.Type] = [
    ProductCategoryRecord.self, ProductHoursRecord.self, ProductAllergenRecord.self,
    ModifierNextGroupRecord.self, StoreOverrideRecord.self,
  ]

  @Sendable private static func createFurtherTables(_ db: Database) throws {
    for table in further { try table.createTable(db) }
    try db.alter(table: PriceTierRecord.databaseTableName) { $0.add(column: "orderType", .text) }
  }
}
