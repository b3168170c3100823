import GRDB

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
