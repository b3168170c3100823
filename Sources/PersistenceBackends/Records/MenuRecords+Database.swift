import GRDB

extension MenuRecords {
  /// Every table, parents before their children.
  static let tables: [any StoredRecord.Type] = [
    MenuRecord.self, CategoryRecord.self, IngredientRecord.self, ModifierGroupRecord.self,
    ModifierOptionRecord.self, ModifierPriceRecord.self, ProductRecord.self,
    ProductTagRecord.self, ProductIngredientRecord.self, ProductModifierGroupRecord.self,
    VariantRecord.self, PriceTierRecord.self, NutritionRecord.self, OptionListRecord.self,
    ListOptionRecord.self, ComboRecord.self, SlotRecord.self, SlotOptionRecord.self,
    StopListRecord.self, TranslationRecord.self,
  ]

  /// Removes the old menu, children first so that no parent's removal finds any, and inserts the
  /// new one. To be called in a transaction.
  ///
  /// GRDB keeps the prepared INSERT of each table for all records.
  func replace(in db: Database) throws {
    try checkLimit(of: db)
    for table in Self.tables.reversed() { _ = try table.deleteAll(db) }
    var inserter = RecordInserter(db: db)
    try put(into: &inserter)
  }

  /// Fetches every record: a request for each array, and by `including(all:)` one more for what
  /// belongs to its records. To be called in a transaction.
  ///
  /// - Throws: ``SQLiteFailure`` where nothing was written.
  static func fetch(_ db: Database) throws -> MenuRecords {
    MenuRecords(
      menu: try MenuRecord.stored(db),
      categories: try CategoryRecord.all().ordered().fetchAll(db),
      ingredients: try IngredientRecord.all().ordered().fetchAll(db),
      modifierGroups: try ModifierGroupInfo.all.fetchAll(db),
      products: try ProductInfo.request().fetchAll(db),
      optionLists: try OptionListInfo.all.fetchAll(db),
      combos: try ComboInfo.all.fetchAll(db),
      stopList: try StopListRecord.all().ordered().fetchAll(db),
      translations: try TranslationRecord.all().ordered().fetchAll(db))
  }

  /// `including(all:)` names every parent in one statement, and SQLite limits how many: a menu that
  /// could not be read again is not written.
  private func checkLimit(of db: Database) throws {
    let parents = [
      ("products", products.count), ("variants", products.reduce(0) { $0 + $1.variants.count }),
      ("slots", combos.reduce(0) { $0 + $1.slots.count }), ("combos", combos.count),
      ("option lists", optionLists.count), ("modifier groups", modifierGroups.count),
    ]
    let limit = db.maximumStatementArgumentCount
    for (name, count) in parents where count > limit {
      throw SQLiteFailure(
        "\(count) \(name): one request fetches what belongs to at most \(limit)")
    }
  }
}

extension MenuRecord {
  /// The one menu of a store.
  ///
  /// - Throws: ``SQLiteFailure`` where nothing was written.
  static func stored(_ db: Database) throws -> MenuRecord {
    let menus = try fetchAll(db)
    guard let menu = menus.first else { throw SQLiteFailure.nothingWritten }
    guard menus.count == 1 else { throw SQLiteFailure("\(menus.count) menus instead of one") }
    return menu
  }
}
