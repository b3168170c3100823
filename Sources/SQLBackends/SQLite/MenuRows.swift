import BackendKit
import MenuModel

/// A menu as rows: one array per table, in the order of the table's key.
///
/// The size of a payload counts the values bound: 8 bytes for a number, the UTF-8 length of a text,
/// 0 for NULL.
package struct MenuRows: Hashable, Sendable {
  var menus: [MenuRow] = []
  var categories: [CategoryRow] = []
  var ingredients: [IngredientRow] = []
  var modifiers = ModifierRows()
  var products = ProductRows()
  var combos = ComboRows()
  var stopList: [StopListRow] = []
  var storeOverrides: [StoreOverrideRow] = []
  var translations: [TranslationRow] = []
}

extension MenuRows {
  /// Converts a menu into rows, each array in the order of its table's key.
  ///
  /// - Throws: ``StoreError`` if an embedded product differs from the menu's own.
  init(_ menu: Menu) throws {
    menus = [
      MenuRow(
        id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
        city: menu.city)
    ]
    addShelves(of: menu)
    modifiers = ModifierRows(menu.modifierGroups)
    products = ProductRows(menu.products)
    combos = try ComboRows(menu.combos, menu.optionLists, Catalogue(menu.products))
    addNotes(of: menu)
  }

  private mutating func addShelves(of menu: Menu) {
    for index in menu.categories.indices(by: \.id) {
      let category = menu.categories[index]
      categories.append(
        CategoryRow(
          id: category.id, position: index, parentID: category.parentID, name: category.name))
    }
    for index in menu.ingredients.indices(by: \.id) {
      let ingredient = menu.ingredients[index]
      ingredients.append(
        IngredientRow(
          id: ingredient.id, position: index, code: ingredient.code, name: ingredient.name))
    }
  }

  private mutating func addNotes(of menu: Menu) {
    for (position, entry) in menu.stopList.enumerated() {
      stopList.append(
        StopListRow(
          position: position, entity: entry.entity.rawValue, entityID: entry.entityID,
          until: entry.until))
    }
    for (position, override) in menu.storeOverrides.enumerated() {
      storeOverrides.append(
        StoreOverrideRow(
          position: position, storeID: override.storeID, entity: override.entity.rawValue,
          entityID: override.entityID, price: override.price,
          availability: override.availability?.rawValue))
    }
    for (position, translation) in menu.translations.enumerated() {
      translations.append(
        TranslationRow(
          position: position, locale: translation.locale, entity: translation.entity.rawValue,
          entityID: translation.entityID, name: translation.name, details: translation.details))
    }
  }

  /// Returns itself. Throws if there is no menu, as before the first write.
  func written() throws -> MenuRows {
    guard !menus.isEmpty else { throw SQLiteFailure.nothingWritten }
    return self
  }

  /// Builds the categories in the order of the menu.
  var categoryList: [Category] {
    categories.map { Category(id: $0.id, parentID: $0.parentID, name: $0.name) }
      .arranged(by: categories)
  }
}

extension Menu {
  /// Builds a menu from rows in the order of their tables' keys.
  ///
  /// - Throws: ``StoreError`` if rows contradict each other.
  init(_ rows: MenuRows) throws {
    guard let menu = rows.menus.first, rows.menus.count == 1 else {
      throw StoreError(
        operation: "decode", path: "rows", reason: "\(rows.menus.count) menus instead of one")
    }
    let products = try rows.products.products()
    let catalogue = Catalogue(products)
    let lists = try rows.combos.lists(catalogue)
    let combos = try rows.combos.combos(catalogue)
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
      city: menu.city,
      categories: rows.categoryList,
      ingredients: rows.ingredients
        .map { Ingredient(id: $0.id, code: $0.code, name: $0.name) }
        .arranged(by: rows.ingredients),
      modifierGroups: try rows.modifiers.modifierGroups(),
      products: products, optionLists: lists, combos: combos,
      stopList: try rows.stopList.map {
        StopListEntry(entity: try value($0.entity), entityID: $0.entityID, until: $0.until)
      },
      storeOverrides: try rows.storeOverrides.map {
        StoreOverride(
          storeID: $0.storeID, entity: try value($0.entity), entityID: $0.entityID,
          price: $0.price, availability: try $0.availability.map { try value($0) })
      },
      translations: try rows.translations.map {
        Translation(
          locale: $0.locale, entity: try value($0.entity), entityID: $0.entityID, name: $0.name,
          details: $0.details)
      })
  }
}

/// The menu's own fields, in a table of one row.
struct MenuRow: TableRow {
  static let table = Table("menu", columns: columns, key: ["id"])

  var id = 0
  var revision = 0
  var locale = ""
  var currency = ""
  var city = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("revision", &revision)
    try visitor.field("locale", &locale)
    try visitor.field("currency", &currency)
    try visitor.field("city", &city)
  }
}

/// A category. Its parent may come later in the menu, so the reference is checked at the commit.
struct CategoryRow: TableRow, Positioned {
  static let table = Table("category", columns: columns, key: ["id"], indexes: ["parent_id"])

  var id = 0
  var position = 0
  var parentID: Int?
  var name = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.reference("parent_id", &parentID, to: "category", deferred: true)
    try visitor.field("name", &name)
  }
}

struct IngredientRow: TableRow, Positioned {
  static let table = Table("ingredient", columns: columns, key: ["id"])

  var id = 0
  var position = 0
  var code: String?
  var name = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.field("name", &name)
  }
}

/// An entry of the stop list. It refers to entities of any kind, so it has no foreign key.
struct StopListRow: TableRow {
  static let table = Table("stop_list", columns: columns, key: ["position"])

  var position = 0
  var entity = ""
  var entityID = 0
  var until: String?

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("position", &position)
    try visitor.field("entity", &entity)
    try visitor.field("entity_id", &entityID)
    try visitor.field("until", &until)
  }
}

/// A price or availability in one store of the chain. It has no foreign key, as ``StopListRow``.
struct StoreOverrideRow: TableRow {
  static let table = Table("store_override", columns: columns, key: ["position"])

  var position = 0
  var storeID = 0
  var entity = ""
  var entityID = 0
  var price: Int?
  var availability: String?

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("position", &position)
    try visitor.field("store_id", &storeID)
    try visitor.field("entity", &entity)
    try visitor.field("entity_id", &entityID)
    try visitor.field("price", &price)
    try visitor.field("availability", &availability)
  }
}

/// The texts of one entity in another language. It has no foreign key, as ``StopListRow``.
struct TranslationRow: TableRow {
  static let table = Table("translation", columns: columns, key: ["position"])

  var position = 0
  var locale = ""
  var entity = ""
  var entityID = 0
  var name = ""
  var details: String?

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("position", &position)
    try visitor.field("locale", &locale)
    try visitor.field("entity", &entity)
    try visitor.field("entity_id", &entityID)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
  }
}
