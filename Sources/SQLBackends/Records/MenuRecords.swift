import BackendKit
import GRDB
import MenuModel

/// A menu as records: arrays in the order of the menu, each with the records that belong to it.
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
  /// Takes a menu apart.
  ///
  /// - Throws: ``StoreError`` where an embedded product is not the menu's own.
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

  /// The menu that the records hold.
  ///
  /// - Throws: ``StoreError`` where records contradict each other.
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

  /// Gives every record, parents before what belongs to them.
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
}

extension MenuRecords {
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
      storeOverrides: try StoreOverrideRecord.all().ordered().fetchAll(db),
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

/// A record as GRDB's documentation recommends it: a struct a table, whose columns are its
/// properties by `Codable`'s own names.
protocol StoredRecord: Codable, FetchableRecord, PersistableRecord, Hashable, Sendable {}

/// A record that stands in a list: of the menu, or of the record that it belongs to.
protocol OrderedRecord: StoredRecord {
  /// Its place in the list, from 0.
  var position: Int { get }
}

extension DerivableRequest where RowDecoder: OrderedRecord {
  /// In the order of the list.
  func ordered() -> Self { order(GRDB.Column("position")) }
}

/// Takes the records of a menu one after another.
protocol RecordSink {
  /// Takes a record.
  mutating func take(_ record: some StoredRecord) throws
}

/// Inserts every record, parents before what belongs to them.
struct RecordInserter: RecordSink {
  let db: Database

  func take(_ record: some StoredRecord) throws { try record.insert(db) }
}

/// Counts the bytes of what is inserted: 8 for a number, its UTF-8 length for a text, none for NULL.
struct RecordCounter: RecordSink {
  private(set) var bytes = 0

  mutating func take(_ record: some StoredRecord) throws {
    for value in try record.databaseDictionary.values {
      switch value.storage {
      case .null: break
      case .int64, .double: bytes += 8
      case .string(let text): bytes += text.utf8.count
      case .blob(let data): bytes += data.count
      }
    }
  }
}

/// A column of text.
extension Product.Kind: DatabaseValueConvertible {}
/// A column of text.
extension Product.Availability: DatabaseValueConvertible {}
/// A column of text.
extension Allergen: DatabaseValueConvertible {}
/// A column of text.
extension OrderType: DatabaseValueConvertible {}
/// A column of text.
extension Entity: DatabaseValueConvertible {}

/// Texts as GRDB can keep them.
///
