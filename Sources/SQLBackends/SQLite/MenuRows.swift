import BackendKit
import GRDB
import MenuModel

/// A menu as rows, one array a table, each in the order of its table's key.
///
/// A payload's size is that of the values bound: 8 bytes for a number, the UTF-8 length of a text,
/// nothing for NULL.
package struct MenuRows: Hashable, Sendable {
  var menus: [MenuRow] = []
  var categories: [CategoryRow] = []
  var ingredients: [IngredientRow] = []
  var modifierGroups: [ModifierGroupRow] = []
  var modifierOptions: [ModifierOptionRow] = []
  var modifierPrices: [ModifierPriceRow] = []
  var modifierNextGroups: [ModifierNextGroupRow] = []
  var products: [ProductRow] = []
  var productCategories: [ProductCategoryRow] = []
  var productHours: [ProductHoursRow] = []
  var productAllergens: [ProductAllergenRow] = []
  var productTags: [ProductTagRow] = []
  var productIngredients: [ProductIngredientRow] = []
  var productModifierGroups: [ProductModifierGroupRow] = []
  var variants: [VariantRow] = []
  var priceTiers: [PriceTierRow] = []
  var nutrition: [NutritionRow] = []
  var optionLists: [OptionListRow] = []
  var listOptions: [SlotOptionRow<SharedList>] = []
  var combos: [ComboRow] = []
  var slots: [SlotRow] = []
  var slotOptions: [SlotOptionRow<OwnList>] = []
  var stopList: [StopListRow] = []
  var storeOverrides: [StoreOverrideRow] = []
  var translations: [TranslationRow] = []
}

extension MenuRows {
  /// Every table, parents before their children.
  static let tables: [MenuTable] = [
    MenuTable(\.menus),
    MenuTable(\.categories),
    MenuTable(\.ingredients),
    MenuTable(\.modifierGroups),
    MenuTable(\.modifierOptions),
    MenuTable(\.modifierPrices),
    MenuTable(\.modifierNextGroups),
    MenuTable(\.products),
    MenuTable(\.productCategories),
    MenuTable(\.productHours),
    MenuTable(\.productAllergens),
    MenuTable(\.productTags),
    MenuTable(\.productIngredients),
    MenuTable(\.productModifierGroups),
    MenuTable(\.variants),
    MenuTable(\.priceTiers),
    MenuTable(\.nutrition),
    MenuTable(\.optionLists),
    MenuTable(\.listOptions),
    MenuTable(\.combos),
    MenuTable(\.slots),
    MenuTable(\.slotOptions),
    MenuTable(\.stopList),
    MenuTable(\.storeOverrides),
    MenuTable(\.translations),
  ]

  /// Itself; throws where there is no menu, as before the first write.
  func written() throws -> MenuRows {
    guard !menus.isEmpty else { throw SQLiteFailure.nothingWritten }
    return self
  }

  /// The bytes of every value.
  var bytes: Int { Self.tables.reduce(0) { $0 + $1.bytes(self) } }
}

/// A table and the array that its rows are held in.
struct MenuTable: Sendable {
  let table: Table
  /// Adds the array's rows by the table's prepared INSERTs.
  let insert: @Sendable (MenuRows, Insertion) throws -> Void
  /// Fills the array by the table's prepared SELECT.
  let select: @Sendable (PreparedStatement, inout MenuRows) throws -> Void
  /// The bytes of the array's rows.
  let bytes: @Sendable (MenuRows) -> Int
  /// Deletes every row by GRDB, by a statement that it keeps: `deleteAll` would write and prepare its SQL
  /// anew each time.
  let deleteRecords: @Sendable (Database) throws -> Void
  /// Adds the array's rows by GRDB, a record at a time.
  let insertRecords: @Sendable (MenuRows, Database) throws -> Void
  /// Fills the array by GRDB, with all rows or those for which a condition holds.
  let fetchRecords:
    @Sendable (_ condition: String?, StatementArguments, Database, inout MenuRows) throws -> Void

  /// Ties an array to its table.
  ///
  /// Closures rather than a generic type behind an `any`: the compiler specialises these for the
  /// row's type, and a row costs no dynamic dispatch.
  init<Row: TableRow>(_ path: any WritableKeyPath<MenuRows, [Row]> & Sendable) {
    table = Row.table
    insert = { try $1.add($0[keyPath: path]) }
    select = { $1[keyPath: path] = try $0.rows(Row.self) }
    bytes = { rows in
      var counter = SizeCounter()
      for var row in rows[keyPath: path] { row.fields(&counter) }
      return counter.bytes
    }
    let deletion = Row.table.deletion
    deleteRecords = { try $0.cachedStatement(sql: deletion).execute() }
    insertRecords = { rows, db in
      for row in rows[keyPath: path] { try RowRecord(row).insert(db) }
    }
    fetchRecords = { condition, arguments, db, rows in
      let records = try RowRecord<Row>.request(where: condition, arguments).fetchAll(db)
      rows[keyPath: path] = records.map(\.fields)
    }
  }
}

extension MenuRows {
  /// Takes a menu apart; every array comes out in the order of its table's key.
  ///
  /// - Throws: ``StoreError`` where an embedded product is not the menu's own.
  init(_ menu: Menu) throws {
    menus = [
      MenuRow(
        id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
        city: menu.city)
    ]
    addShelves(of: menu)
    addModifiers(menu.modifierGroups)
    addProducts(menu.products)
    addVariants(menu.products)
    let catalogue = Catalogue(menu.products)
    try addOptionLists(menu.optionLists, catalogue)
    addCombos(menu.combos)
    try addSlots(menu.combos, catalogue)
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

  private mutating func addModifiers(_ groups: [ModifierGroup]) {
    for index in groups.indices(by: \.id) {
      let group = groups[index]
      modifierGroups.append(
        ModifierGroupRow(
          id: group.id, position: index, name: group.name, min: group.min, max: group.max,
          free: group.free, isRequired: group.isRequired))
      for (position, option) in group.options.enumerated() {
        modifierOptions.append(
          ModifierOptionRow(
            groupID: group.id, position: position, ingredientID: option.ingredientID))
        for (tier, price) in option.prices.enumerated() {
          modifierPrices.append(
            ModifierPriceRow(
              groupID: group.id, optionPosition: position, position: tier, size: price.size,
              price: price.price))
        }
        for (place, next) in option.modifierGroupIDs.enumerated() {
          modifierNextGroups.append(
            ModifierNextGroupRow(
              groupID: group.id, optionPosition: position, position: place, nextGroupID: next))
        }
      }
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
}

extension MenuRows {
  /// Adds products and their lists, variants apart.
  mutating func addProducts(_ all: [Product]) {
    for index in all.indices(by: \.id) {
      let product = all[index]
      products.append(
        ProductRow(
          id: product.id, position: index, code: product.code, categoryID: product.categoryID,
          kind: product.kind.rawValue, name: product.name, details: product.details,
          availability: product.availability.rawValue))
      for (position, category) in product.otherCategoryIDs.enumerated() {
        productCategories.append(
          ProductCategoryRow(productID: product.id, position: position, categoryID: category))
      }
      for (position, hours) in product.hours.enumerated() {
        productHours.append(
          ProductHoursRow(
            productID: product.id, position: position, days: hours.days, from: hours.from,
            until: hours.until))
      }
      for (position, allergen) in product.allergens.enumerated() {
        productAllergens.append(
          ProductAllergenRow(
            productID: product.id, position: position, allergen: allergen.rawValue))
      }
      for (position, tag) in product.tags.enumerated() {
        productTags.append(ProductTagRow(productID: product.id, position: position, tag: tag))
      }
      for (position, ingredient) in product.ingredients.enumerated() {
        productIngredients.append(
          ProductIngredientRow(
            productID: product.id, position: position, ingredientID: ingredient.ingredientID,
            isRemovable: ingredient.isRemovable))
      }
      for (position, group) in product.modifierGroupIDs.enumerated() {
        productModifierGroups.append(
          ProductModifierGroupRow(productID: product.id, position: position, groupID: group))
      }
    }
  }

  /// Adds the variants of all products, by their own ids.
  mutating func addVariants(_ products: [Product]) {
    let all = products.flatMap { product in
      product.variants.enumerated().map {
        Placed(parent: product.id, position: $0.offset, value: $0.element)
      }
    }
    for index in all.indices(by: \.value.id) {
      let placed = all[index]
      add(placed.value, of: placed.parent, at: placed.position)
    }
  }

  private mutating func add(_ variant: Variant, of product: Int, at position: Int) {
    variants.append(
      VariantRow(
        id: variant.id, productID: product, position: position, code: variant.code,
        size: variant.size, dough: variant.dough, weight: variant.weight, price: variant.price,
        image: variant.image))
    for (position, tier) in variant.priceTiers.enumerated() {
      priceTiers.append(
        PriceTierRow(
          variantID: variant.id, position: position, name: tier.name, price: tier.price,
          orderType: tier.orderType?.rawValue))
    }
    if let facts = variant.nutrition {
      nutrition.append(
        NutritionRow(variantID: variant.id, per100g: facts.per100g, whole: facts.whole))
    }
  }
}

extension MenuRows {
  /// Adds the shared lists and their options.
  mutating func addOptionLists(_ lists: [OptionList], _ catalogue: Catalogue) throws {
    for index in lists.indices(by: \.id) {
      let list = lists[index]
      optionLists.append(OptionListRow(id: list.id, position: index))
      listOptions += try rows(of: list.options, owner: list.id, catalogue)
    }
  }

  /// Adds combos without their slots.
  mutating func addCombos(_ all: [Combo]) {
    for index in all.indices(by: \.id) {
      let combo = all[index]
      combos.append(
        ComboRow(
          id: combo.id, position: index, code: combo.code, name: combo.name,
          details: combo.details, price: combo.price, oldPrice: combo.oldPrice,
          image: combo.image))
    }
  }

  /// Adds the slots of all combos and their own options, by the slots' ids.
  mutating func addSlots(_ combos: [Combo], _ catalogue: Catalogue) throws {
    let all = combos.flatMap { combo in
      combo.slots.enumerated().map {
        Placed(parent: combo.id, position: $0.offset, value: $0.element)
      }
    }
    for index in all.indices(by: \.value.id) {
      let slot = all[index].value
      slots.append(
        SlotRow(
          id: slot.id, comboID: all[index].parent, position: all[index].position,
          name: slot.name, min: slot.min, max: slot.max, optionListID: slot.optionListID,
          hasOwnOptions: slot.options != nil, defaultProductID: slot.defaultProductID))
      slotOptions += try rows(of: slot.options ?? [], owner: slot.id, catalogue)
    }
  }

  private func rows<Owner: OptionOwner>(
    of options: [SlotOption], owner: Int, _ catalogue: Catalogue
  ) throws -> [SlotOptionRow<Owner>] {
    try options.enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return SlotOptionRow(
        ownerID: owner, position: position, productID: option.productID,
        variantID: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }
}
