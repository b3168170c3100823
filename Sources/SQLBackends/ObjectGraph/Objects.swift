import BackendKit

/// The root of the graph: the menu without what it lists.
struct MenuObject: StoredObject {
  typealias Owner = Self
  static let entity = "menu"
  static let relations = [
    ToMany(MenuCategories.self), ToMany(MenuIngredients.self), ToMany(MenuModifierGroups.self),
    ToMany(MenuProducts.self), ToMany(MenuOptionLists.self), ToMany(MenuCombos.self),
    ToMany(MenuStopList.self), ToMany(MenuStoreOverrides.self), ToMany(MenuTranslations.self),
  ]
  static var path: Path { \.menus }

  var revision = 0
  var locale = ""
  var currency = ""
  var city = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("revision", &revision)
    try visitor.field("locale", &locale)
    try visitor.field("currency", &currency)
    try visitor.field("city", &city)
  }
}

enum MenuCategories: Relation {
  typealias Source = MenuObject
  typealias Target = CategoryObject
  static let name = "menu_categories"
  static var path: Path { \.menuCategories }
}

enum MenuIngredients: Relation {
  typealias Source = MenuObject
  typealias Target = IngredientObject
  static let name = "menu_ingredients"
  static var path: Path { \.menuIngredients }
}

enum MenuModifierGroups: Relation {
  typealias Source = MenuObject
  typealias Target = ModifierGroupObject
  static let name = "menu_modifier_groups"
  static var path: Path { \.menuModifierGroups }
}

enum MenuProducts: Relation {
  typealias Source = MenuObject
  typealias Target = ProductObject
  static let name = "menu_products"
  static var path: Path { \.menuProducts }
}

enum MenuOptionLists: Relation {
  typealias Source = MenuObject
  typealias Target = OptionListObject
  static let name = "menu_option_lists"
  static var path: Path { \.menuOptionLists }
}

enum MenuCombos: Relation {
  typealias Source = MenuObject
  typealias Target = ComboObject
  static let name = "menu_combos"
  static var path: Path { \.menuCombos }
}

enum MenuStopList: Relation {
  typealias Source = MenuObject
  typealias Target = StopListEntryObject
  static let name = "menu_stop_list"
  static var path: Path { \.menuStopList }
}

enum MenuStoreOverrides: Relation {
  typealias Source = MenuObject
  typealias Target = StoreOverrideObject
  static let name = "menu_store_overrides"
  static var path: Path { \.menuStoreOverrides }
}

enum MenuTranslations: Relation {
  typealias Source = MenuObject
  typealias Target = TranslationObject
  static let name = "menu_translations"
  static var path: Path { \.menuTranslations }
}

/// A shelf, with a link to the one that it stands in.
struct CategoryObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "category"
  static var path: Path { \.categories }

  var parent: Key<CategoryObject>?
  var name = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("parent", &parent)
    try visitor.field("name", &name)
  }
}

/// What products are made of.
struct IngredientObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "ingredient"
  static var path: Path { \.ingredients }

  var code: String?
  var name = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("code", &code)
    try visitor.field("name", &name)
  }
}

/// A product of the menu, or a copy of one that an option embeds.
struct ProductObject: StoredObject {
  /// None where it is the menu's own.
  typealias Owner = SlotOptionObject
  static let entity = "product"
  static let relations = [
    ToMany(ProductCategories.self), ToMany(ProductHours.self), ToMany(ProductAllergens.self),
    ToMany(ProductTags.self), ToMany(ProductVariants.self), ToMany(ProductParts.self),
    ToMany(ProductModifierGroups.self),
  ]
  static var path: Path { \.products }

  var code: String?
  var category = Key<CategoryObject>()
  var kind = ""
  var name = ""
  var details = ""
  var availability = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("code", &code)
    try visitor.link("category", &category)
    try visitor.field("kind", &kind)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
    try visitor.field("availability", &availability)
  }
}

/// The further categories of a product.
enum ProductCategories: Relation {
  typealias Source = ProductObject
  typealias Target = CategoryObject
  static let name = "product_categories"
  static let owns = false
  static var path: Path { \.productCategories }
}

enum ProductHours: Relation {
  typealias Source = ProductObject
  typealias Target = HoursObject
  static let name = "product_hours"
  static var path: Path { \.productHours }
}

enum ProductAllergens: Relation {
  typealias Source = ProductObject
  typealias Target = AllergenObject
  static let name = "product_allergens"
  static var path: Path { \.productAllergens }
}

enum ProductTags: Relation {
  typealias Source = ProductObject
  typealias Target = TagObject
  static let name = "product_tags"
  static var path: Path { \.productTags }
}

enum ProductVariants: Relation {
  typealias Source = ProductObject
  typealias Target = VariantObject
  static let name = "product_variants"
  static var path: Path { \.productVariants }
}

enum ProductParts: Relation {
  typealias Source = ProductObject
  typealias Target = ProductIngredientObject
  static let name = "product_parts"
  static var path: Path { \.productParts }
}

/// Many products share a group.
enum ProductModifierGroups: Relation {
  typealias Source = ProductObject
  typealias Target = ModifierGroupObject
  static let name = "product_modifier_groups"
  static let owns = false
  static var path: Path { \.productModifierGroups }
}

/// Hours at which a product can be ordered.
struct HoursObject: StoredObject {
  typealias Owner = ProductObject
  static let entity = "hours"
  static var path: Path { \.hours }

  var days = 0
  var from = 0
  var until = 0

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("days", &days)
    try visitor.field("from_minute", &from)
    try visitor.field("until_minute", &until)
  }
}

/// An allergen of a product.
struct AllergenObject: StoredObject {
  typealias Owner = ProductObject
  static let entity = "allergen"
  static var path: Path { \.allergens }

  var name = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("name", &name)
  }
}

/// A label of a product.
struct TagObject: StoredObject {
  typealias Owner = ProductObject
  static let entity = "tag"
  static var path: Path { \.tags }

  var text = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("text", &text)
  }
}

/// An ingredient of a product.
struct ProductIngredientObject: StoredObject {
  typealias Owner = ProductObject
  static let entity = "product_ingredient"
  static var path: Path { \.productIngredients }

  var ingredient = Key<IngredientObject>()
  var isRemovable = false

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("ingredient", &ingredient)
    try visitor.field("is_removable", &isRemovable)
  }
}

/// One size and dough of a product.
struct VariantObject: StoredObject {
  typealias Owner = ProductObject
  static let entity = "variant"
  static let relations = [ToMany(VariantPriceTiers.self)]
  static var path: Path { \.variants }

  var code: String?
  var size = ""
  var dough: String?
  var weight: Int?
  var price = 0
  var image = ""
  var nutrition: Key<NutritionObject>?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("code", &code)
    try visitor.field("size", &size)
    try visitor.field("dough", &dough)
    try visitor.field("weight", &weight)
    try visitor.field("price", &price)
    try visitor.field("image", &image)
    try visitor.link("nutrition", &nutrition, isPart: true)
  }
}

enum VariantPriceTiers: Relation {
  typealias Source = VariantObject
  typealias Target = PriceTierObject
  static let name = "variant_price_tiers"
  static var path: Path { \.variantPriceTiers }
}

/// A named price beside a variant's usual one.
struct PriceTierObject: StoredObject {
  typealias Owner = VariantObject
  static let entity = "price_tier"
  static var path: Path { \.priceTiers }

  var name = ""
  var price = 0
  var orderType: String?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("name", &name)
    try visitor.field("price", &price)
    try visitor.field("order_type", &orderType)
  }
}

/// The nutrition of a variant.
struct NutritionObject: StoredObject {
  typealias Owner = VariantObject
  static let entity = "nutrition"
  static var path: Path { \.nutrition }

  var per100g = Key<NutritionFactsObject>()
  var whole = Key<NutritionFactsObject>()

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("per_100g", &per100g, isPart: true)
    try visitor.link("whole", &whole, isPart: true)
  }
}

/// Energy and the rest.
struct NutritionFactsObject: StoredObject {
  typealias Owner = NutritionObject
  static let entity = "nutrition_facts"
  static var path: Path { \.nutritionFacts }

  var energy = 0.0
  var proteins = 0.0
  var fats = 0.0
  var carbohydrates = 0.0

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("energy", &energy)
    try visitor.field("proteins", &proteins)
    try visitor.field("fats", &fats)
    try visitor.field("carbohydrates", &carbohydrates)
  }
}

/// A set of products at one price.
struct ComboObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "combo"
  static let relations = [ToMany(ComboSlots.self)]
  static var path: Path { \.combos }

  var code: String?
  var name = ""
  var details = ""
  var price: Int?
  var oldPrice: Int?
  var image = ""

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("code", &code)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
    try visitor.field("price", &price)
    try visitor.field("old_price", &oldPrice)
    try visitor.field("image", &image)
  }
}

enum ComboSlots: Relation {
  typealias Source = ComboObject
  typealias Target = SlotObject
  static let name = "combo_slots"
  static var path: Path { \.comboSlots }
}

/// One choice within a combo.
struct SlotObject: StoredObject {
  typealias Owner = ComboObject
  static let entity = "slot"
  static var path: Path { \.slots }

  var name = ""
  var min = 0
  var max = 0
  var sharedList: Key<OptionListObject>?
  var ownList: Key<OptionListObject>?
  var defaultProduct: Key<ProductObject>?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("name", &name)
    try visitor.field("min", &min)
    try visitor.field("max", &max)
    try visitor.link("shared_list", &sharedList)
    try visitor.link("own_list", &ownList, isPart: true)
    try visitor.link("default_product", &defaultProduct)
  }
}

/// The options of a slot, or of several that share them.
struct OptionListObject: StoredObject {
  /// None where slots share it.
  typealias Owner = SlotObject
  static let entity = "option_list"
  static let relations = [ToMany(OptionListOptions.self)]
  static var path: Path { \.optionLists }

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {}
}

enum OptionListOptions: Relation {
  typealias Source = OptionListObject
  typealias Target = SlotOptionObject
  static let name = "option_list_options"
  static var path: Path { \.optionListOptions }
}

/// A product, or one variant of it, that may fill a slot.
struct SlotOptionObject: StoredObject {
  typealias Owner = OptionListObject
  static let entity = "slot_option"
  static var path: Path { \.slotOptions }

  /// The menu's own product.
  var product = Key<ProductObject>()
  var variant: Key<VariantObject>?
  var surcharge = 0
  /// The copy that it embeds.
  var copy: Key<ProductObject>?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("product", &product)
    try visitor.link("variant", &variant)
    try visitor.field("surcharge", &surcharge)
    try visitor.link("copy", &copy, isPart: true)
  }
}

/// A set of things that may be added to a product.
struct ModifierGroupObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "modifier_group"
  static let relations = [ToMany(ModifierGroupOptions.self)]
  static var path: Path { \.modifierGroups }

  var name = ""
  var min = 0
  var max = 0
  var free = 0
  var isRequired = false

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("name", &name)
    try visitor.field("min", &min)
    try visitor.field("max", &max)
    try visitor.field("free", &free)
    try visitor.field("is_required", &isRequired)
  }
}

enum ModifierGroupOptions: Relation {
  typealias Source = ModifierGroupObject
  typealias Target = ModifierOptionObject
  static let name = "modifier_group_options"
  static var path: Path { \.modifierGroupOptions }
}

/// One choice of a modifier group.
struct ModifierOptionObject: StoredObject {
  typealias Owner = ModifierGroupObject
  static let entity = "modifier_option"
  static let relations = [ToMany(ModifierOptionPrices.self), ToMany(ModifierOptionGroups.self)]
  static var path: Path { \.modifierOptions }

  var ingredient = Key<IngredientObject>()

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("ingredient", &ingredient)
  }
}

enum ModifierOptionPrices: Relation {
  typealias Source = ModifierOptionObject
  typealias Target = SizePriceObject
  static let name = "modifier_option_prices"
  static var path: Path { \.modifierOptionPrices }
}

/// The groups that an option leads to.
enum ModifierOptionGroups: Relation {
  typealias Source = ModifierOptionObject
  typealias Target = ModifierGroupObject
  static let name = "modifier_option_groups"
  static let owns = false
  static var path: Path { \.modifierOptionGroups }
}

/// A modifier's price for one size.
struct SizePriceObject: StoredObject {
  typealias Owner = ModifierOptionObject
  static let entity = "size_price"
  static var path: Path { \.sizePrices }

  var size = ""
  var price = 0

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("size", &size)
    try visitor.field("price", &price)
  }
}

/// Something that is out of stock.
struct StopListEntryObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "stop_list_entry"
  static var path: Path { \.stopList }

  var entity = ""
  var entityID = 0
  var until: String?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("entity", &entity)
    try visitor.field("entity_id", &entityID)
    try visitor.field("until", &until)
  }
}

/// What one store has otherwise.
struct StoreOverrideObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "store_override"
  static var path: Path { \.storeOverrides }

  var storeID = 0
  var entity = ""
  var entityID = 0
  var price: Int?
  var availability: String?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("store_id", &storeID)
    try visitor.field("entity", &entity)
    try visitor.field("entity_id", &entityID)
    try visitor.field("price", &price)
    try visitor.field("availability", &availability)
  }
}

/// The texts of one thing in a further language.
struct TranslationObject: StoredObject {
  typealias Owner = MenuObject
  static let entity = "translation"
  static var path: Path { \.translations }

  var locale = ""
  var entity = ""
  var entityID = 0
  var name = ""
  var details: String?

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("locale", &locale)
    try visitor.field("entity", &entity)
    try visitor.field("entity_id", &entityID)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
  }
}
