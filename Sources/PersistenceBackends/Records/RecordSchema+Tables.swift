import GRDB

extension RecordSchema {
  /// Makes the tables.
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
      t.column("code", .text)
      t.belongsTo("category", indexed: false).notNull()
      t.column("kind", .text).notNull()
      t.column("name", .text).notNull()
      t.column("details", .text).notNull()
      t.column("availability", .text).notNull()
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
      t.column("price", .integer).notNull()
      t.column("image", .text).notNull()
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
