import BackendKit
import GRDB
import MenuModel

/// The menu's own fields: a table of one row.
struct MenuRecord: StoredRecord {
  static let databaseTableName = "menu"

  var id: Int
  var revision: Int
  var locale: String
  var currency: String
  var city: String
}

extension MenuRecord {
  init(_ menu: Menu) {
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale.stored,
      currency: menu.currency.stored, city: menu.city.stored)
  }
}

/// A category.
struct CategoryRecord: OrderedRecord {
  static let databaseTableName = "category"

  var id: Int
  var position: Int
  var parentId: Int?
  var name: String
}

extension CategoryRecord {
  init(_ category: Category, at position: Int) {
    self.init(
      id: category.id, position: position, parentId: category.parentID,
      name: category.name.stored)
  }

  /// The category.
  func category() throws -> Category {
    Category(id: id, parentID: parentId, name: try name.restored())
  }
}

/// An ingredient.
struct IngredientRecord: OrderedRecord {
  static let databaseTableName = "ingredient"

  var id: Int
  var position: Int
  var code: String?
  var name: String
}

extension IngredientRecord {
  init(_ ingredient: Ingredient, at position: Int) {
    self.init(
      id: ingredient.id, position: position, code: ingredient.code?.stored,
      name: ingredient.name.stored)
  }

  /// The ingredient.
  func ingredient() throws -> Ingredient {
    Ingredient(id: id, code: try code?.restored(), name: try name.restored())
  }
}

/// A product without what belongs to it.
struct ProductRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "product"
  static let categories = hasMany(ProductCategoryRecord.self, key: "categories").ordered()
  static let hours = hasMany(ProductHoursRecord.self, key: "hours").ordered()
  static let allergens = hasMany(ProductAllergenRecord.self, key: "allergens").ordered()
  static let tags = hasMany(ProductTagRecord.self, key: "tags").ordered()
  static let ingredients = hasMany(ProductIngredientRecord.self, key: "ingredients").ordered()
  static let modifierGroups =
    hasMany(ProductModifierGroupRecord.self, key: "modifierGroups").ordered()
  static let variants = hasMany(VariantRecord.self, key: "variants").ordered()

  var id: Int
  var position: Int
  var code: String?
  var categoryId: Int
  var kind: Product.Kind
  var name: String
  var details: String
  var availability: Product.Availability

  /// The columns that requests name.
  enum Columns {
    static let id = GRDB.Column(CodingKeys.id)
    static let name = GRDB.Column(CodingKeys.name)
  }
}

/// A further category of a product.
struct ProductCategoryRecord: OrderedRecord {
  static let databaseTableName = "productCategory"

  var productId: Int
  var position: Int
  var categoryId: Int
}

/// Hours at which a product can be ordered.
struct ProductHoursRecord: OrderedRecord {
  static let databaseTableName = "productHours"

  var productId: Int
  var position: Int
  var days: Int
  var fromMinute: Int
  var untilMinute: Int
}

/// An allergen of a product.
struct ProductAllergenRecord: OrderedRecord {
  static let databaseTableName = "productAllergen"

  var productId: Int
  var position: Int
  var allergen: Allergen
}

/// A label of a product.
struct ProductTagRecord: OrderedRecord {
  static let databaseTableName = "productTag"

  var productId: Int
  var position: Int
  var tag: String
}

/// An ingredient of a product.
struct ProductIngredientRecord: OrderedRecord {
  static let databaseTableName = "productIngredient"

  var productId: Int
  var position: Int
  var ingredientId: Int
  var isRemovable: Bool
}

/// A modifier group that applies to a product.
struct ProductModifierGroupRecord: OrderedRecord {
  static let databaseTableName = "productModifierGroup"

  var productId: Int
  var position: Int
  var modifierGroupId: Int
}

extension ProductRecord {
  /// The products that a category shows: it may be their first one or a further one.
  static func shown(by category: Int) -> QueryInterfaceRequest<ProductRecord> {
    let further = ProductCategoryRecord.filter(GRDB.Column("categoryId") == category)
      .select(GRDB.Column("productId"))
    return filter(GRDB.Column("categoryId") == category || further.contains(Columns.id))
  }

  init(_ product: Product, at position: Int) {
    self.init(
      id: product.id, position: position, code: product.code?.stored,
      categoryId: product.categoryID, kind: product.kind, name: product.name.stored,
      details: product.details.stored, availability: product.availability)
  }
}

/// A variant of a product without its price tiers and nutrition.
struct VariantRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "variant"
  static let priceTiers = hasMany(PriceTierRecord.self, key: "priceTiers").ordered()
  static let nutrition = hasOne(NutritionRecord.self, key: "nutrition")

  var id: Int
  var productId: Int
  var position: Int
  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int
  var image: String
}

/// A further price of a variant.
struct PriceTierRecord: OrderedRecord {
  static let databaseTableName = "priceTier"

  var variantId: Int
  var position: Int
  var name: String
  var price: Int
  var orderType: OrderType?
}

/// Nutrition of a variant, in 100 g and as a whole.
struct NutritionRecord: StoredRecord {
  static let databaseTableName = "nutrition"

  var variantId: Int
  var partEnergy: Double
  var partProteins: Double
  var partFats: Double
  var partCarbohydrates: Double
  var wholeEnergy: Double
  var wholeProteins: Double
  var wholeFats: Double
  var wholeCarbohydrates: Double
}

extension VariantRecord {
  init(_ variant: Variant, of product: Int, at position: Int) {
    self.init(
      id: variant.id, productId: product, position: position, code: variant.code?.stored,
      size: variant.size.stored, dough: variant.dough?.stored, weight: variant.weight,
      price: variant.price, image: variant.image.stored)
  }
}

extension NutritionRecord {
  init(_ nutrition: Nutrition, of variant: Int) {
    let (part, whole) = (nutrition.per100g, nutrition.whole)
    self.init(
      variantId: variant, partEnergy: part.energy, partProteins: part.proteins,
      partFats: part.fats, partCarbohydrates: part.carbohydrates, wholeEnergy: whole.energy,
      wholeProteins: whole.proteins, wholeFats: whole.fats,
      wholeCarbohydrates: whole.carbohydrates)
  }

  /// The facts.
  var nutrition: Nutrition {
    Nutrition(
      per100g: NutritionFacts(
        energy: partEnergy, proteins: partProteins, fats: partFats,
        carbohydrates: partCarbohydrates),
      whole: NutritionFacts(
        energy: wholeEnergy, proteins: wholeProteins, fats: wholeFats,
        carbohydrates: wholeCarbohydrates))
  }
}

/// A modifier group without its options.
struct ModifierGroupRecord: OrderedRecord {
  static let databaseTableName = "modifierGroup"
  static let options = hasMany(ModifierOptionRecord.self, key: "options").ordered()

  var id: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var free: Int
  var isRequired: Bool
}

/// An option of a modifier group without its prices.
struct ModifierOptionRecord: OrderedRecord {
  static let databaseTableName = "modifierOption"
  static let prices = hasMany(ModifierPriceRecord.self, key: "prices").ordered()
  static let nextGroups = hasMany(ModifierNextGroupRecord.self, key: "nextGroups").ordered()

  var modifierGroupId: Int
  var position: Int
  var ingredientId: Int
}

/// The price of a modifier option for one size.
struct ModifierPriceRecord: OrderedRecord {
  static let databaseTableName = "modifierPrice"

  var modifierGroupId: Int
  var optionPosition: Int
  var position: Int
  var size: String
  var price: Int
}

/// A modifier group that an option of one leads to.
struct ModifierNextGroupRecord: OrderedRecord {
  static let databaseTableName = "modifierNextGroup"

  var modifierGroupId: Int
  var optionPosition: Int
  var position: Int
  var nextGroupId: Int
}

/// What one store has otherwise.
struct StoreOverrideRecord: OrderedRecord {
  static let databaseTableName = "storeOverride"

  var position: Int
  var storeId: Int
  var entity: Entity
  var entityId: Int
  var price: Int?
  var availability: Product.Availability?
}

extension StoreOverrideRecord {
  init(_ override: StoreOverride, at position: Int) {
    self.init(
      position: position, storeId: override.storeID, entity: override.entity,
      entityId: override.entityID, price: override.price, availability: override.availability)
  }

  /// The override.
  var override: StoreOverride {
    StoreOverride(
      storeID: storeId, entity: entity, entityID: entityId, price: price,
      availability: availability)
  }
}

/// Something that is out of stock.
struct StopListRecord: OrderedRecord {
  static let databaseTableName = "stopListEntry"

  var position: Int
  var entity: Entity
  var entityId: Int
  var until: String?
}

/// The texts of one thing in a further language.
struct TranslationRecord: OrderedRecord {
  static let databaseTableName = "translation"

  var position: Int
  var locale: String
  var entity: Entity
  var entityId: Int
  var name: String
  var details: String?
}

extension StopListRecord {
  init(_ entry: StopListEntry, at position: Int) {
    self.init(
      position: position, entity: entry.entity, entityId: entry.entityID,
      until: entry.until?.stored)
  }

  /// The entry.
  func entry() throws -> StopListEntry {
    StopListEntry(entity: entity, entityID: entityId, until: try until?.restored())
  }
}

extension TranslationRecord {
  init(_ translation: Translation, at position: Int) {
    self.init(
      position: position, locale: translation.locale.stored, entity: translation.entity,
      entityId: translation.entityID, name: translation.name.stored,
      details: translation.details?.stored)
  }

  /// The translation.
  func translation() throws -> Translation {
    Translation(
      locale: try locale.restored(), entity: entity, entityID: entityId,
      name: try name.restored(), details: try details?.restored())
  }
}

/// A list of options that slots share, without the options.
struct OptionListRecord: OrderedRecord {
  static let databaseTableName = "optionList"
  static let options = hasMany(ListOptionRecord.self, key: "options").ordered()

  var id: Int
  var position: Int
}

/// An option of a shared list.
///
/// A product embedded in the menu is kept once, in its own table; the flag says to embed it again.
struct ListOptionRecord: OptionRecord {
  static let databaseTableName = "listOption"

  var optionListId: Int
  var position: Int
  var productId: Int
  var variantId: Int?
  var surcharge: Int
  var embedsProduct: Bool
}

/// An option of a list, whichever the list.
protocol OptionRecord: OrderedRecord {
  var productId: Int { get }
  var variantId: Int? { get }
  var surcharge: Int { get }
  var embedsProduct: Bool { get }
}

extension OptionRecord {
  /// The option, with the product of the catalogue where it embeds one.
  func option(_ catalogue: Catalogue) throws -> SlotOption {
    SlotOption(
      productID: productId, variantID: variantId, surcharge: surcharge,
      product: embedsProduct ? try catalogue.product(productId) : nil)
  }
}

/// A combo without its slots.
struct ComboRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "combo"
  static let slots = hasMany(SlotRecord.self, key: "slots").ordered()

  var id: Int
  var position: Int
  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String
}

extension ComboRecord {
  init(_ combo: Combo, at position: Int) {
    self.init(
      id: combo.id, position: position, code: combo.code?.stored, name: combo.name.stored,
      details: combo.details.stored, price: combo.price, oldPrice: combo.oldPrice,
      image: combo.image.stored)
  }

  /// The combo with its slots.
  func combo(_ slots: [Slot]) throws -> Combo {
    Combo(
      id: id, code: try code?.restored(), name: try name.restored(),
      details: try details.restored(), price: price, oldPrice: oldPrice,
      image: try image.restored(), slots: slots)
  }
}

/// A slot of a combo without its options.
struct SlotRecord: OrderedRecord {
  static let databaseTableName = "slot"
  static let options = hasMany(SlotOptionRecord.self, key: "options").ordered()
  static let optionList = belongsTo(OptionListRecord.self, key: "optionList")

  var id: Int
  var comboId: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var optionListId: Int?
  /// Tells a list of its own that is empty from none.
  var hasOwnOptions: Bool
  var defaultProductId: Int?
}

/// An option of a slot's own.
struct SlotOptionRecord: OptionRecord {
  static let databaseTableName = "slotOption"

  var slotId: Int
  var position: Int
  var productId: Int
  var variantId: Int?
  var surcharge: Int
  var embedsProduct: Bool
}

extension SlotRecord {
  init(_ slot: Slot, of combo: Int, at position: Int) {
    self.init(
      id: slot.id, comboId: combo, position: position, name: slot.name.stored, min: slot.min,
      max: slot.max, optionListId: slot.optionListID, hasOwnOptions: slot.options != nil,
      defaultProductId: slot.defaultProductID)
  }

  /// The slot with its own options, which count only where it says that it has some.
  func slot(_ options: [SlotOptionRecord], _ catalogue: Catalogue) throws -> Slot {
    Slot(
      id: id, name: try name.restored(), min: min, max: max, optionListID: optionListId,
      options: hasOwnOptions ? try options.map { try $0.option(catalogue) } : nil,
      defaultProductID: defaultProductId)
  }
}
