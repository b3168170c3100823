import BackendKit
import GRDB
import MenuModel

/// The tables of the records, made by GRDB's migrations.
enum RecordSchema {
  /// What an app registers, one with each release that changes a table, and calls on every start: a
  /// new store goes through all of them.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("createMenu", migrate: createTables)
    for change in SchemaChange.allCases where change != .back {
      migrator.registerMigration(identifier(of: change)) { try migrate($0, across: change) }
    }
    migrator.registerMigration(NameKeys.migration, migrate: NameKeys.makeIndex)
    migrator.registerMigration(furtherTables, migrate: createFurtherTables)
    // The first program told `belongsTo` to make none; screens and filters go by it since.
    migrator.registerMigration("indexProductCategories") { db in
      try db.create(index: "product_on_categoryId", on: "product", columns: ["categoryId"])
    }
    return migrator
  }()

  /// Checks a database before anything of it is changed.
  ///
  /// - Throws: ``SQLiteFailure`` where migrations ran that we don't know, or where its tables are
  ///   others than ours.
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
        "it was migrated by a newer program: \(newer); this program's last migration is \(last)")
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
}

extension RecordSchema {
  /// Makes the tables, as the first program had them.
  ///
  /// They are STRICT for the sake of one thing: an ANY column keeps a floating-point number bit by
  /// bit, where a REAL one stores whole numbers as integers and so loses the sign of -0. Foreign
  /// keys are indexed where a request follows them from the other end.
  @Sendable static func createTables(_ db: Database) throws {
    try createShelves(db)
    try createModifiers(db)
    try createProducts(db)
    try createVariants(db)
    try createOptionLists(db)
    try createCombos(db)
    try createNotes(db)
  }

  private static func createShelves(_ db: Database) throws {
    try create(MenuRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("revision", .integer).notNull()
      t.column("locale", .text).notNull()
      t.column("currency", .text).notNull()
      t.column("city", .text).notNull()
    }
    try create(CategoryRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("position", .integer).notNull()
      t.belongsTo("parent", inTable: "category", deferred: true)
      t.column("name", .text).notNull()
    }
    try create(IngredientRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("position", .integer).notNull()
      t.column("code", .text)
      t.column("name", .text).notNull()
    }
  }

  private static func createModifiers(_ db: Database) throws {
    try create(ModifierGroupRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("position", .integer).notNull()
      t.column("name", .text).notNull()
      t.column("min", .integer).notNull()
      t.column("max", .integer).notNull()
      t.column("free", .integer).notNull()
      t.column("isRequired", .integer).notNull()
    }
    try createList(ModifierOptionRecord.self, of: "modifierGroup", db) { t in
      t.belongsTo("ingredient", indexed: false).notNull()
    }
    try db.create(table: ModifierPriceRecord.databaseTableName, options: list) { t in
      t.primaryKey(["modifierGroupId", "optionPosition", "position"])
      t.column("modifierGroupId", .integer).notNull()
      t.column("optionPosition", .integer).notNull()
      t.column("position", .integer).notNull()
      t.column("size", .text).notNull()
      t.column("price", .integer).notNull()
      t.foreignKey(
        ["modifierGroupId", "optionPosition"], references: "modifierOption",
        columns: ["modifierGroupId", "position"])
    }
  }

  private static func createProducts(_ db: Database) throws {
    try create(ProductRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("position", .integer).notNull()
      t.belongsTo("category", indexed: false).notNull()
      t.column("availability", .text).notNull()
      t.column("label", .text).notNull().defaults(to: "")
    }
    try createList(ProductTagRecord.self, of: "product", db) { t in
      t.column("tag", .text).notNull()
    }
    try createList(ProductIngredientRecord.self, of: "product", db) { t in
      t.belongsTo("ingredient", indexed: false).notNull()
      t.column("isRemovable", .integer).notNull()
    }
    try createList(ProductModifierGroupRecord.self, of: "product", db) { t in
      t.belongsTo("modifierGroup", indexed: false).notNull()
    }
  }

  private static func createVariants(_ db: Database) throws {
    try create(VariantRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.belongsTo("product").notNull()
      t.column("position", .integer).notNull()
      t.column("code", .text)
      t.column("size", .text).notNull()
      t.column("dough", .text)
      t.column("weight", .integer)
      t.column("image", .text).notNull()
      t.column("amount", .real).notNull().defaults(to: 0)
    }
    try createList(PriceTierRecord.self, of: "variant", db) { t in
      t.column("name", .text).notNull()
      t.column("price", .integer).notNull()
    }
    try create(NutritionRecord.self, db) { t in
      t.primaryKey { t.belongsTo("variant") }
      for fact in ["Energy", "Proteins", "Fats", "Carbohydrates"] {
        t.column("part" + fact, .any).notNull()
        t.column("whole" + fact, .any).notNull()
      }
    }
  }
}

extension RecordSchema {
  /// The migration that brought further categories, hours, allergens, nested modifiers, prices by order
  /// type and stores' overrides.
  private static let furtherTables = "addWhatRealMenusHave"

  private static let further: [any StoredRecord.Type] = [
    ProductCategoryRecord.self, ProductHoursRecord.self, ProductAllergenRecord.self,
    ModifierNextGroupRecord.self, StoreOverrideRecord.self,
  ]

  @Sendable private static func createFurtherTables(_ db: Database) throws {
    try createList(ProductCategoryRecord.self, of: "product", db) { t in
      t.belongsTo("category").notNull()
    }
    try createList(ProductHoursRecord.self, of: "product", db) { t in
      t.column("days", .integer).notNull()
      t.column("fromMinute", .integer).notNull()
      t.column("untilMinute", .integer).notNull()
    }
    try createList(ProductAllergenRecord.self, of: "product", db) { t in
      t.column("allergen", .text).notNull()
    }
    try db.create(table: ModifierNextGroupRecord.databaseTableName, options: list) { t in
      t.primaryKey(["modifierGroupId", "optionPosition", "position"])
      t.column("modifierGroupId", .integer).notNull()
      t.column("optionPosition", .integer).notNull()
      t.column("position", .integer).notNull()
      t.belongsTo("nextGroup", inTable: "modifierGroup", indexed: false).notNull()
      t.foreignKey(
        ["modifierGroupId", "optionPosition"], references: "modifierOption",
        columns: ["modifierGroupId", "position"])
    }
    try create(StoreOverrideRecord.self, db) { t in
      t.primaryKey("position", .integer)
      t.column("storeId", .integer).notNull()
      t.column("entity", .text).notNull()
      t.column("entityId", .integer).notNull()
      t.column("price", .integer)
      t.column("availability", .text)
    }
    try db.alter(table: PriceTierRecord.databaseTableName) { $0.add(column: "orderType", .text) }
  }
}

extension RecordSchema {
  /// Makes the tables of option lists and their options.
  static func createOptionLists(_ db: Database) throws {
    try create(OptionListRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("position", .integer).notNull()
    }
    try createList(ListOptionRecord.self, of: "optionList", db, option)
  }

  /// Makes the tables of combos, slots and the options of their own.
  static func createCombos(_ db: Database) throws {
    try create(ComboRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.column("position", .integer).notNull()
      t.column("code", .text)
      t.column("name", .text).notNull()
      t.column("details", .text).notNull()
      t.column("price", .integer)
      t.column("oldPrice", .integer)
      t.column("image", .text).notNull()
    }
    try create(SlotRecord.self, db) { t in
      t.primaryKey("id", .integer)
      t.belongsTo("combo").notNull()
      t.column("position", .integer).notNull()
      t.column("name", .text).notNull()
      t.column("min", .integer).notNull()
      t.column("max", .integer).notNull()
      t.belongsTo("optionList", indexed: false)
      t.column("hasOwnOptions", .integer).notNull()
      t.belongsTo("defaultProduct", inTable: "product", indexed: false)
    }
    try createList(SlotOptionRecord.self, of: "slot", db, option)
  }

  /// Makes the tables of the stop list and of translations.
  static func createNotes(_ db: Database) throws {
    try create(StopListRecord.self, db) { t in
      t.primaryKey("position", .integer)
      t.column("entity", .text).notNull()
      t.column("entityId", .integer).notNull()
      t.column("until", .text)
    }
    try create(TranslationRecord.self, db) { t in
      t.primaryKey("position", .integer)
      t.column("locale", .text).notNull()
      t.column("entity", .text).notNull()
      t.column("entityId", .integer).notNull()
      t.column("name", .text).notNull()
      t.column("details", .text)
    }
  }

  /// Makes a record's table.
  static func create(
    _ record: any StoredRecord.Type, _ db: Database, _ body: (TableDefinition) throws -> Void
  ) throws {
    try db.create(table: record.databaseTableName, options: .strict, body: body)
  }

  /// Makes the table of a list, whose key is the owner and the place in its list: one B-tree in the
  /// order in which it is read.
  static func createList(
    _ record: any OrderedRecord.Type, of owner: String, _ db: Database,
    _ body: (TableDefinition) throws -> Void
  ) throws {
    try db.create(table: record.databaseTableName, options: list) { t in
      t.primaryKey {
        t.belongsTo(owner)
        t.column("position", .integer).notNull()
      }
      try body(t)
    }
  }

  /// A list's table.
  static var list: TableOptions { [.strict, .withoutRowID] }

  private static func option(_ t: TableDefinition) {
    t.belongsTo("product", indexed: false).notNull()
    t.belongsTo("variant", indexed: false)
    t.column("surcharge", .integer).notNull()
    t.column("embedsProduct", .integer).notNull()
  }
}
