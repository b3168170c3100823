import BackendKit
import MenuModel

extension Menu {
  /// Puts a menu together from rows in the order of their tables' keys.
  ///
  /// - Throws: ``StoreError`` where rows contradict each other.
  init(_ rows: MenuRows) throws {
    guard let menu = rows.menus.first, rows.menus.count == 1 else {
      throw StoreError(
        operation: "decode", path: "rows", reason: "\(rows.menus.count) menus instead of one")
    }
    let products = try ProductAssembly(rows).products
    let combos = try ComboAssembly(rows, Catalogue(products))
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
      city: menu.city,
      categories: rows.categoryList,
      ingredients: rows.ingredients
        .map { Ingredient(id: $0.id, code: $0.code, name: $0.name) }
        .arranged(by: rows.ingredients),
      modifierGroups: try Self.modifierGroups(rows),
      products: products, optionLists: combos.lists, combos: combos.combos,
      stopList: try Self.stopList(rows), storeOverrides: try Self.storeOverrides(rows),
      translations: try Self.translations(rows))
  }

  private static func modifierGroups(_ rows: MenuRows) throws -> [ModifierGroup] {
    var options = Children(rows.modifierOptions)
    var prices = Children(rows.modifierPrices)
    var nextGroups = Children(rows.modifierNextGroups)
    let groups = rows.modifierGroups.map { row in
      ModifierGroup(
        id: row.id, name: row.name, min: row.min, max: row.max, free: row.free,
        isRequired: row.isRequired,
        options: options.next(of: row.id).map { option in
          let key = ModifierPriceRow.Option(groupID: option.groupID, position: option.position)
          return ModifierOption(
            ingredientID: option.ingredientID,
            prices: prices.next(of: key).map { SizePrice(size: $0.size, price: $0.price) },
            modifierGroupIDs: nextGroups.next(of: key).map(\.nextGroupID))
        })
    }
    try options.finish()
    try prices.finish()
    try nextGroups.finish()
    return groups.arranged(by: rows.modifierGroups)
  }

  private static func stopList(_ rows: MenuRows) throws -> [StopListEntry] {
    try rows.stopList.map {
      StopListEntry(entity: try value($0.entity), entityID: $0.entityID, until: $0.until)
    }
  }

  private static func storeOverrides(_ rows: MenuRows) throws -> [StoreOverride] {
    try rows.storeOverrides.map {
      StoreOverride(
        storeID: $0.storeID, entity: try value($0.entity), entityID: $0.entityID, price: $0.price,
        availability: try $0.availability.map { try value($0) })
    }
  }

  private static func translations(_ rows: MenuRows) throws -> [Translation] {
    try rows.translations.map {
      Translation(
        locale: $0.locale, entity: try value($0.entity), entityID: $0.entityID, name: $0.name,
        details: $0.details)
    }
  }
}

/// The case that a stored text names; throws ``StoreError`` where there is none.
func value<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
  guard let value = Value(rawValue: text) else {
    throw StoreError(
      operation: "decode", path: "rows", reason: "there is no \(Value.self) called \(text)")
  }
  return value
}

/// Puts products together from their rows.
struct ProductAssembly {
  /// In the order of the menu.
  let products: [Product]

  init(_ rows: MenuRows) throws {
    var variants = Children(try Self.variants(rows).grouped())
    var categories = Children(rows.productCategories)
    var hours = Children(rows.productHours)
    var allergens = Children(rows.productAllergens)
    var tags = Children(rows.productTags)
    var ingredients = Children(rows.productIngredients)
    var groups = Children(rows.productModifierGroups)
    products = try rows.products.map { row in
      Product(
        id: row.id, code: row.code, categoryID: row.categoryID,
        otherCategoryIDs: categories.next(of: row.id).map(\.categoryID),
        kind: try value(row.kind), name: row.name, details: row.details,
        tags: tags.next(of: row.id).map(\.tag), availability: try value(row.availability),
        hours: hours.next(of: row.id).map {
          ServingHours(days: $0.days, from: $0.from, until: $0.until)
        },
        allergens: try allergens.next(of: row.id).map { try value($0.allergen) },
        variants: variants.next(of: row.id).map(\.value),
        ingredients: ingredients.next(of: row.id).map {
          ProductIngredient(ingredientID: $0.ingredientID, isRemovable: $0.isRemovable)
        },
        modifierGroupIDs: groups.next(of: row.id).map(\.groupID))
    }.arranged(by: rows.products)
    try variants.finish()
    try categories.finish()
    try hours.finish()
    try allergens.finish()
    try tags.finish()
    try ingredients.finish()
    try groups.finish()
  }

  /// Variants in the order of their ids.
  private static func variants(_ rows: MenuRows) throws -> [Placed<Variant>] {
    var tiers = Children(rows.priceTiers)
    var nutrition = Children(rows.nutrition)
    let variants = try rows.variants.map { row in
      Placed(
        parent: row.productID, position: row.position,
        value: Variant(
          id: row.id, code: row.code, size: row.size, dough: row.dough, weight: row.weight,
          price: row.price,
          priceTiers: try tiers.next(of: row.id).map {
            PriceTier(
              name: $0.name, price: $0.price, orderType: try $0.orderType.map { try value($0) })
          },
          image: row.image,
          nutrition: nutrition.next(of: row.id).first.map {
            Nutrition(per100g: $0.per100g, whole: $0.whole)
          }))
    }
    try tiers.finish()
    try nutrition.finish()
    return variants
  }
}

/// Puts combos and shared option lists together from their rows.
struct ComboAssembly {
  /// In the order of the menu.
  let lists: [OptionList]
  /// In the order of the menu.
  let combos: [Combo]

  init(_ rows: MenuRows, _ catalogue: Catalogue) throws {
    lists = try Self.lists(rows, catalogue)
    var slots = Children(try Self.slots(rows, catalogue).grouped())
    combos = rows.combos.map { row in
      Combo(
        id: row.id, code: row.code, name: row.name, details: row.details, price: row.price,
        oldPrice: row.oldPrice, image: row.image, slots: slots.next(of: row.id).map(\.value))
    }.arranged(by: rows.combos)
    try slots.finish()
  }

  private static func lists(_ rows: MenuRows, _ catalogue: Catalogue) throws -> [OptionList] {
    var options = Children(rows.listOptions)
    let lists = try rows.optionLists.map { row in
      OptionList(
        id: row.id,
        options: try options.next(of: row.id).map { try SlotOption($0, catalogue) })
    }
    try options.finish()
    return lists.arranged(by: rows.optionLists)
  }

  /// Slots in the order of their ids.
  private static func slots(
    _ rows: MenuRows, _ catalogue: Catalogue
  ) throws -> [Placed<Slot>] {
    var options = Children(rows.slotOptions)
    let slots = try rows.slots.map { row in
      let own =
        try row.hasOwnOptions
        ? options.next(of: row.id).map { try SlotOption($0, catalogue) } : nil
      return Placed(
        parent: row.comboID, position: row.position,
        value: Slot(
          id: row.id, name: row.name, min: row.min, max: row.max,
          optionListID: row.optionListID, options: own, defaultProductID: row.defaultProductID))
    }
    try options.finish()
    return slots
  }
}

extension SlotOption {
  fileprivate init(_ row: SlotOptionRow<some OptionOwner>, _ catalogue: Catalogue) throws {
    self.init(
      productID: row.productID, variantID: row.variantID, surcharge: row.surcharge,
      product: row.embedsProduct ? try catalogue.product(row.productID) : nil)
  }
}

extension MenuRows {
  /// The categories in the order of the menu.
  var categoryList: [Category] {
    categories.map { Category(id: $0.id, parentID: $0.parentID, name: $0.name) }
      .arranged(by: categories)
  }
}

/// A row of an entity that the menu lists: kept by id, shown by position.
protocol Positioned {
  /// Its place in the menu's list.
  var position: Int { get }
}

/// A row that belongs to one of another table.
protocol ChildRow {
  /// What names the parent.
  associatedtype Parent: Equatable
  /// The parent's name.
  var parent: Parent { get }
}

/// Hands out the children of one parent after another: a merge of two sequences in the order of the
/// parent's key, so no index is needed.
struct Children<Row: ChildRow> {
  private let rows: [Row]
  private var start = 0

  init(_ rows: [Row]) { self.rows = rows }

  /// The children of the next parent, in their order.
  mutating func next(of parent: Row.Parent) -> ArraySlice<Row> {
    var end = start
    while end < rows.count, rows[end].parent == parent { end += 1 }
    defer { start = end }
    return rows[start..<end]
  }

  /// Throws where a row is left, which belongs to no parent or stands out of order.
  func finish() throws {
    guard start == rows.count else {
      throw StoreError(
        operation: "decode", path: "rows",
        reason: "\(Row.self) of \(rows[start].parent): no such parent")
    }
  }
}

/// A part of the menu on its way to the parent that it belongs to.
struct Placed<Value>: ChildRow {
  var parent: Int
  var position: Int
  var value: Value
}

extension Array {
  /// The parts of one parent after another, each parent's in their order.
  func grouped<Value>() -> [Placed<Value>] where Element == Placed<Value> {
    inOrder { ($0.parent, $0.position) < ($1.parent, $1.position) }
  }

  /// The indices of the elements by growing key.
  func indices(by key: (Element) -> Int) -> [Int] {
    Array<Int>(indices).inOrder { key(self[$0]) < key(self[$1]) }
  }

  /// The values of rows in the order of the rows' positions.
  func arranged(by rows: [some Positioned]) -> [Element] {
    zip(rows, self).map { (position: $0.position, value: $1) }
      .inOrder { $0.position < $1.position }.map(\.value)
  }

  /// Itself where it is in order, which is the usual case and costs one look at each element.
  private func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    for index in indices.dropFirst() where precedes(self[index], self[index - 1]) {
      return sorted(by: precedes)
    }
    return self
  }
}

/// The menu's products by id, which embedded copies are held against.
final class Catalogue {
  private let list: [Product]
  /// Made for the first embedded product: a menu that references has none.
  private lazy var products = Dictionary(
    list.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  init(_ products: [Product]) { list = products }

  /// Throws ``StoreError`` unless a copy is the product that its option names, to the last byte.
  func check(_ copy: Product, of option: SlotOption) throws {
    guard let original = products[option.productID] else {
      throw failure("product \(option.productID) is embedded but not in the menu")
    }
    // Equality sees every field but takes NFC for NFD and -0 for 0.
    guard copy == original, copy.hasSameBytes(as: original) else {
      throw failure("product \(option.productID) is embedded with another content than the menu's")
    }
  }

  /// The product to embed again.
  func product(_ id: Int) throws -> Product {
    guard let product = products[id] else {
      throw StoreError(
        operation: "decode", path: "rows", reason: "product \(id) to embed does not exist")
    }
    return product
  }

  private func failure(_ reason: String) -> StoreError {
    StoreError(operation: "encode", path: "menu", reason: reason)
  }
}

extension Product {
  /// Whether the texts and floating-point numbers of an equal product are so bit by bit.
  fileprivate func hasSameBytes(as other: Product) -> Bool {
    texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
      && numbers.elementsEqual(other.numbers) { $0.bitPattern == $1.bitPattern }
  }

  private var texts: [String] {
    [code ?? "", name, details] + tags
      + variants.flatMap { variant in
        [variant.code ?? "", variant.size, variant.dough ?? "", variant.image]
          + variant.priceTiers.map(\.name)
      }
  }

  private var numbers: [Double] {
    variants.compactMap(\.nutrition).flatMap { [$0.per100g, $0.whole] }.flatMap {
      [$0.energy, $0.proteins, $0.fats, $0.carbohydrates]
    }
  }
}
