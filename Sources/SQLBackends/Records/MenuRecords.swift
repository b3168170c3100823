import BackendKit
import GRDB
import MenuModel

/// A menu as records: arrays in the order of the menu, in which each record contains its children.
package struct MenuRecords: Hashable, Sendable {
  var menu: MenuRecord
  var categories: [CategoryRecord]
  var ingredients: [IngredientRecord]
  var modifierGroups: [ModifierGroupInfo]
  var products: [ProductInfo]
  var optionLists: [OptionListInfo]
  var combos: [ComboInfo]
  var stopList: [StopListRecord]
  var storeOverrides: [StoreOverrideRecord]
  var translations: [TranslationRecord]
}

extension MenuRecords {
  /// Throws ``StoreError`` if an embedded product differs from the menu's own.
  init(_ menu: Menu) throws {
    let catalogue = Catalogue(menu.products)
    self.init(
      menu: MenuRecord(menu),
      categories: menu.categories.enumerated().map { CategoryRecord($1, at: $0) },
      ingredients: menu.ingredients.enumerated().map { IngredientRecord($1, at: $0) },
      modifierGroups: menu.modifierGroups.enumerated().map { ModifierGroupInfo($1, at: $0) },
      products: menu.products.enumerated().map { ProductInfo($1, at: $0) },
      optionLists: try menu.optionLists.enumerated().map {
        try OptionListInfo($1, at: $0, catalogue)
      },
      combos: try menu.combos.enumerated().map { try ComboInfo($1, at: $0, catalogue) },
      stopList: menu.stopList.enumerated().map { StopListRecord($1, at: $0) },
      storeOverrides: menu.storeOverrides.enumerated().map { StoreOverrideRecord($1, at: $0) },
      translations: menu.translations.enumerated().map { TranslationRecord($1, at: $0) })
  }

  /// Builds the menu. Throws ``StoreError`` if records contradict each other.
  func whole() throws -> Menu {
    let products = try products.map { try $0.whole() }
    let catalogue = Catalogue(products)
    return Menu(
      id: menu.id, revision: menu.revision, locale: try menu.locale.restored(),
      currency: try menu.currency.restored(), city: try menu.city.restored(),
      categories: try categories.map { try $0.category() },
      ingredients: try ingredients.map { try $0.ingredient() },
      modifierGroups: try modifierGroups.map { try $0.group() }, products: products,
      optionLists: try optionLists.map { try $0.list(catalogue) },
      combos: try combos.map { try $0.whole(catalogue) },
      stopList: try stopList.map { try $0.entry() },
      storeOverrides: storeOverrides.map(\.override),
      translations: try translations.map { try $0.translation() })
  }

  /// Passes every record to a sink, parents before their children.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(menu)
    for category in categories { try sink.take(category) }
    for ingredient in ingredients { try sink.take(ingredient) }
    for group in modifierGroups { try group.put(into: &sink) }
    for group in modifierGroups { try group.putNext(into: &sink) }
    for product in products { try product.put(into: &sink) }
    for list in optionLists { try list.put(into: &sink) }
    for combo in combos { try combo.put(into: &sink) }
    for entry in stopList { try sink.take(entry) }
    for override in storeOverrides { try sink.take(override) }
    for translation in translations { try sink.take(translation) }
  }

  /// Every table, parents before their children.
  static let tables: [any StoredRecord.Type] = [
    MenuRecord.self, CategoryRecord.self, IngredientRecord.self, ModifierGroupRecord.self,
    ModifierOptionRecord.self, ModifierPriceRecord.self, ModifierNextGroupRecord.self,
    ProductRecord.self, ProductCategoryRecord.self, ProductHoursRecord.self,
    ProductAllergenRecord.self,
    ProductTagRecord.self, ProductIngredientRecord.self, ProductModifierGroupRecord.self,
    VariantRecord.self, PriceTierRecord.self, NutritionRecord.self, OptionListRecord.self,
    ListOptionRecord.self, ComboRecord.self, SlotRecord.self, SlotOptionRecord.self,
    StopListRecord.self, StoreOverrideRecord.self, TranslationRecord.self,
  ]

  /// Deletes the old menu, children first so that deleting a parent finds none, and inserts the new
  /// one. Call it in a transaction.
  ///
  /// GRDB caches one prepared INSERT per table for all records.
  func replace(in db: Database) throws {
    try checkLimit(of: db)
    for table in Self.tables.reversed() { _ = try table.deleteAll(db) }
    var inserter = RecordInserter(db: db)
    try put(into: &inserter)
  }

  /// Fetches every record: one request per array, and one more per association with `including(all:)`.
  /// Call it in a transaction.
  ///
  /// - Throws: ``SQLiteFailure`` if nothing was written.
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
      storeOverrides: try StoreOverrideRecord.all().ordered().fetchAll(db),
      translations: try TranslationRecord.all().ordered().fetchAll(db))
  }

  /// `including(all:)` lists every parent in one statement, and SQLite limits the number of arguments.
  /// A menu above the limit could not be read again, so it is not written.
  private func checkLimit(of db: Database) throws {
    let parents = [
      ("products", products.count), ("variants", products.reduce(0) { $0 + $1.variants.count }),
      ("slots", combos.reduce(0) { $0 + $1.slots.count }), ("combos", combos.count),
      ("option lists", optionLists.count), ("modifier groups", modifierGroups.count),
    ]
    let limit = db.maximumStatementArgumentCount
    for (name, count) in parents where count > limit {
      throw SQLiteFailure(
        "\(count) \(name): one request fetches the parts of at most \(limit)")
    }
  }
}

/// The menu's own fields, in a table of one row.
struct MenuRecord: StoredRecord {
  static let databaseTableName = "menu"

  var id: Int
  var revision: Int
  var locale: String
  var currency: String
  var city: String

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "revision")
    t.required(.text, "locale", "currency", "city")
  }
}

extension MenuRecord {
  init(_ menu: Menu) {
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale.stored,
      currency: menu.currency.stored, city: menu.city.stored)
  }

  /// Fetches the menu's row. Throws ``SQLiteFailure`` if nothing was written.
  static func stored(_ db: Database) throws -> MenuRecord {
    let menus = try fetchAll(db)
    guard let menu = menus.first else { throw SQLiteFailure.nothingWritten }
    guard menus.count == 1 else { throw SQLiteFailure("\(menus.count) menus instead of one") }
    return menu
  }
}

struct CategoryRecord: OrderedRecord {
  static let databaseTableName = "category"

  var id: Int
  var position: Int
  var parentId: Int?
  var name: String

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "position")
    t.belongsTo("parent", inTable: "category", deferred: true)
    t.required(.text, "name")
  }
}

extension CategoryRecord {
  init(_ category: Category, at position: Int) {
    self.init(
      id: category.id, position: position, parentId: category.parentID,
      name: category.name.stored)
  }

  func category() throws -> Category {
    Category(id: id, parentID: parentId, name: try name.restored())
  }
}

struct IngredientRecord: OrderedRecord {
  static let databaseTableName = "ingredient"

  var id: Int
  var position: Int
  var code: String?
  var name: String

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "position")
    t.column("code", .text)
    t.required(.text, "name")
  }
}

extension IngredientRecord {
  init(_ ingredient: Ingredient, at position: Int) {
    self.init(
      id: ingredient.id, position: position, code: ingredient.code?.stored,
      name: ingredient.name.stored)
  }

  func ingredient() throws -> Ingredient {
    Ingredient(id: id, code: try code?.restored(), name: try name.restored())
  }
}

/// A price or availability in one store of the chain.
struct StoreOverrideRecord: OrderedRecord {
  static let databaseTableName = "storeOverride"

  var position: Int
  var storeId: Int
  var entity: Entity
  var entityId: Int
  var price: Int?
  var availability: Product.Availability?

  static func define(_ t: TableDefinition) {
    t.primaryKey("position", .integer)
    t.required(.integer, "storeId")
    t.required(.text, "entity")
    t.required(.integer, "entityId")
    t.column("price", .integer)
    t.column("availability", .text)
  }
}

extension StoreOverrideRecord {
  init(_ override: StoreOverride, at position: Int) {
    self.init(
      position: position, storeId: override.storeID, entity: override.entity,
      entityId: override.entityID, price: override.price, availability: override.availability)
  }

  var override: StoreOverride {
    StoreOverride(
      storeID: storeId, entity: entity, entityID: entityId, price: price,
      availability: availability)
  }
}

/// An entity that is out of stock.
struct StopListRecord: OrderedRecord {
  static let databaseTableName = "stopListEntry"

  var position: Int
  var entity: Entity
  var entityId: Int
  var until: String?

  static func define(_ t: TableDefinition) {
    t.primaryKey("position", .integer)
    t.required(.text, "entity")
    t.required(.integer, "entityId")
    t.column("until", .text)
  }
}

extension StopListRecord {
  init(_ entry: StopListEntry, at position: Int) {
    self.init(
      position: position, entity: entry.entity, entityId: entry.entityID,
      until: entry.until?.stored)
  }

  func entry() throws -> StopListEntry {
    StopListEntry(entity: entity, entityID: entityId, until: try until?.restored())
  }
}

/// The texts of one entity in another language.
struct TranslationRecord: OrderedRecord {
  static let databaseTableName = "translation"

  var position: Int
  var locale: String
  var entity: Entity
  var entityId: Int
  var name: String
  var details: String?

  static func define(_ t: TableDefinition) {
    t.primaryKey("position", .integer)
    t.required(.text, "locale", "entity")
    t.required(.integer, "entityId")
    t.required(.text, "name")
    t.column("details", .text)
  }
}

extension TranslationRecord {
  init(_ translation: Translation, at position: Int) {
    self.init(
      position: position, locale: translation.locale.stored, entity: translation.entity,
      entityId: translation.entityID, name: translation.name.stored,
      details: translation.details?.stored)
  }

  func translation() throws -> Translation {
    Translation(
      locale: try locale.restored(), entity: entity, entityID: entityId,
      name: try name.restored(), details: try details?.restored())
  }
}

extension FirstScreen {
  /// Fetches the first screen of an app.
  init(_ db: Database) throws {
    let categories = try CategoryRecord.all().ordered().fetchAll(db)
    let combos = try ComboRecord.all().ordered().limit(FirstScreen.combos).fetchAll(db)
    self.init(
      categories: try categories.map { try $0.category() },
      products: try Self.shelf(categories, db).map { try $0.card() },
      combos: try combos.map { FirstScreen.Card(try $0.combo([])) })
  }

  /// Fetches the products of the first category that has any.
  private static func shelf(
    _ categories: [CategoryRecord], _ db: Database
  ) throws -> [ProductCard] {
    for category in categories {
      let products = try ProductCard.request(ProductRecord.shown(by: category.id)).fetchAll(db)
      if !products.isEmpty { return products }
    }
    return []
  }
}
