import BenchDocuments

/// A menu as the program on the other side of a change encodes it (``SchemaChange``): it is written by
/// any codec, for this program to meet.
package struct ForeignMenu: BenchDocument {
  private var id: Int
  private var revision: Int
  private var locale: String
  private var currency: String
  private var city: String
  private var categories: [Category]
  private var ingredients: [Ingredient]
  private var modifierGroups: [ModifierGroup]
  private var products: [ForeignProduct]
  private var optionLists: [ForeignOptionList]
  private var combos: [ForeignCombo]
  private var stopList: [StopListEntry]
  private var storeOverrides: [StoreOverride]
  private var translations: [Translation]

  /// The menu as it was before a change, or as a newer program has it.
  package init(_ menu: Menu, across change: SchemaChange) {
    (id, revision, locale) = (menu.id, menu.revision, menu.locale)
    (currency, city) = (menu.currency, menu.city)
    (categories, ingredients) = (menu.categories, menu.ingredients)
    (modifierGroups, stopList) = (menu.modifierGroups, menu.stopList)
    (storeOverrides, translations) = (menu.storeOverrides, menu.translations)
    products = menu.products.map { ForeignProduct($0, across: change) }
    optionLists = menu.optionLists.map { ForeignOptionList($0, across: change) }
    combos = menu.combos.map { ForeignCombo($0, across: change) }
  }

  /// Feeds nothing: it is written and never read.
  package func visit(_ checksum: inout Checksum) {}
  /// Itself.
  package func revised(_ number: Int) -> Self { self }
  /// The products.
  package var counts: [(of: String, count: Int)] { [("product", products.count)] }
}

/// A product as the other program encodes it; a field that its menu does not have is nil.
private struct ForeignProduct: Codable, Equatable, Sendable {
  var id: Int
  var code: String?
  var categoryID: Int
  var otherCategoryIDs: [Int]
  var kind: Product.Kind?
  var name: String?
  var details: String?
  var label: String?
  var tags: [String]
  var availability: Product.Availability
  var hours: [ServingHours]
  var allergens: [Allergen]
  var variants: [ForeignVariant]
  var ingredients: [ProductIngredient]
  var modifierGroupIDs: [Int]
  var rating: Int?

  init(_ product: Product, across change: SchemaChange) {
    id = product.id
    code = change == .optional ? nil : product.code
    (categoryID, otherCategoryIDs) = (product.categoryID, product.otherCategoryIDs)
    kind = change == .required ? nil : product.kind
    name = change == .split ? nil : product.name
    details = change == .split ? nil : product.details
    label = change == .split ? product.label : nil
    (tags, availability) = (product.tags, product.availability)
    (hours, allergens) = (product.hours, product.allergens)
    variants = product.variants.map { ForeignVariant($0, across: change) }
    (ingredients, modifierGroupIDs) = (product.ingredients, product.modifierGroupIDs)
    rating = change == .back ? 5 : nil
  }
}

private struct ForeignVariant: Codable, Equatable, Sendable {
  var id: Int
  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int?
  var amount: Double?
  var priceTiers: [PriceTier]
  var image: String
  var nutrition: Nutrition?

  init(_ variant: Variant, across change: SchemaChange) {
    (id, code, size, dough) = (variant.id, variant.code, variant.size, variant.dough)
    weight = variant.weight
    price = change == .type ? nil : variant.price
    amount = change == .type ? variant.amount : nil
    (priceTiers, image, nutrition) = (variant.priceTiers, variant.image, variant.nutrition)
  }
}

/// An option list whose options may embed the other program's products.
private struct ForeignOptionList: Codable, Equatable, Sendable {
  var id: Int
  var options: [ForeignSlotOption]

  init(_ list: OptionList, across change: SchemaChange) {
    id = list.id
    options = list.options.map { ForeignSlotOption($0, across: change) }
  }
}

/// A combo whose slots' own options may embed the other program's products.
private struct ForeignCombo: Codable, Equatable, Sendable {
  var id: Int
  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String
  var slots: [ForeignSlot]

  init(_ combo: Combo, across change: SchemaChange) {
    (id, code, name, details) = (combo.id, combo.code, combo.name, combo.details)
    (price, oldPrice, image) = (combo.price, combo.oldPrice, combo.image)
    slots = combo.slots.map { ForeignSlot($0, across: change) }
  }
}

private struct ForeignSlot: Codable, Equatable, Sendable {
  var id: Int
  var name: String
  var min: Int
  var max: Int
  var optionListID: Int?
  var options: [ForeignSlotOption]?
  var defaultProductID: Int?

  init(_ slot: Slot, across change: SchemaChange) {
    (id, name, min, max) = (slot.id, slot.name, slot.min, slot.max)
    (optionListID, defaultProductID) = (slot.optionListID, slot.defaultProductID)
    options = slot.options?.map { ForeignSlotOption($0, across: change) }
  }
}

private struct ForeignSlotOption: Codable, Equatable, Sendable {
  var productID: Int
  var variantID: Int?
  var surcharge: Int
  var product: ForeignProduct?

  init(_ option: SlotOption, across change: SchemaChange) {
    (productID, variantID) = (option.productID, option.variantID)
    surcharge = option.surcharge
    product = option.product.map { ForeignProduct($0, across: change) }
  }
}
