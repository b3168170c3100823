import BackendKit
import MenuModel

/// The menu itself: one row, its own fields only.
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

/// A category. Its parent may stand anywhere in the menu, so the reference is checked at the commit.
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

/// An ingredient.
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

/// An entry of the stop list. It names things of any kind, which no foreign key can say.
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

/// What one store has otherwise. It names things of several kinds, as ``StopListRow``.
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

/// The texts of one thing in a further language. It names things of any kind, as ``StopListRow``.
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

/// A modifier group without its options.
struct ModifierGroupRow: TableRow, Positioned {
  static let table = Table("modifier_group", columns: columns, key: ["id"])

  var id = 0
  var position = 0
  var name = ""
  var min = 0
  var max = 0
  var free = 0
  var isRequired = false

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("name", &name)
    try visitor.field("min", &min)
    try visitor.field("max", &max)
    try visitor.field("free", &free)
    try visitor.field("is_required", &isRequired)
  }
}

/// An option of a modifier group without its prices.
struct ModifierOptionRow: TableRow, ChildRow {
  static let table = Table("modifier_option", columns: columns, key: ["group_id", "position"])

  var groupID = 0
  var position = 0
  var ingredientID = 0

  var parent: Int { groupID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("group_id", &groupID, to: "modifier_group")
    try visitor.field("position", &position)
    try visitor.reference("ingredient_id", &ingredientID, to: "ingredient")
  }
}

/// The price of a modifier option for one size.
struct ModifierPriceRow: TableRow, ChildRow {
  static let table = Table(
    "modifier_price", columns: columns, key: ["group_id", "option_position", "position"],
    constraints: [
      "FOREIGN KEY (group_id, option_position) REFERENCES modifier_option (group_id, position)"
    ])

  var groupID = 0
  var optionPosition = 0
  var position = 0
  var size = ""
  var price = 0

  var parent: Option { Option(groupID: groupID, position: optionPosition) }

  /// What names an option: it has no id of its own.
  struct Option: Hashable, Sendable {
    var groupID: Int
    var position: Int
  }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("group_id", &groupID)
    try visitor.field("option_position", &optionPosition)
    try visitor.field("position", &position)
    try visitor.field("size", &size)
    try visitor.field("price", &price)
  }
}

/// A modifier group that an option of one leads to.
struct ModifierNextGroupRow: TableRow, ChildRow {
  static let table = Table(
    "modifier_next_group", columns: columns, key: ["group_id", "option_position", "position"],
    constraints: [
      "FOREIGN KEY (group_id, option_position) REFERENCES modifier_option (group_id, position)"
    ])

  var groupID = 0
  var optionPosition = 0
  var position = 0
  var nextGroupID = 0

  var parent: ModifierPriceRow.Option {
    ModifierPriceRow.Option(groupID: groupID, position: optionPosition)
  }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("group_id", &groupID)
    try visitor.field("option_position", &optionPosition)
    try visitor.field("position", &position)
    try visitor.reference("next_group_id", &nextGroupID, to: "modifier_group")
  }
}

/// A product without its lists.
///
/// The indexes find the products of one category, in the menu's order, and keep the keys of the names in
/// the order of results: a search reads the index alone.
struct ProductRow: TableRow, Positioned {
  static let table = Table(
    "product", columns: columns, key: ["id"],
    indexes: ["category_id, position", "name_key(name), id"])

  var id = 0
  var position = 0
  var code: String?
  var categoryID = 0
  var kind = ""
  var name = ""
  var details = ""
  var availability = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.reference("category_id", &categoryID, to: "category")
    try visitor.field("kind", &kind)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
    try visitor.field("availability", &availability)
  }
}

/// A further category of a product. The index finds the products that a category shows, too.
struct ProductCategoryRow: TableRow, ChildRow {
  static let table = Table(
    "product_category", columns: columns, key: ["product_id", "position"],
    indexes: ["category_id"])

  var productID = 0
  var position = 0
  var categoryID = 0

  var parent: Int { productID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.reference("category_id", &categoryID, to: "category")
  }
}

/// Hours at which a product can be ordered.
struct ProductHoursRow: TableRow, ChildRow {
  static let table = Table("product_hours", columns: columns, key: ["product_id", "position"])

  var productID = 0
  var position = 0
  var days = 0
  var from = 0
  var until = 0

  var parent: Int { productID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.field("days", &days)
    try visitor.field("from_minute", &from)
    try visitor.field("until_minute", &until)
  }
}

/// An allergen of a product.
struct ProductAllergenRow: TableRow, ChildRow {
  static let table = Table("product_allergen", columns: columns, key: ["product_id", "position"])

  var productID = 0
  var position = 0
  var allergen = ""

  var parent: Int { productID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.field("allergen", &allergen)
  }
}

/// A tag of a product.
struct ProductTagRow: TableRow, ChildRow {
  static let table = Table("product_tag", columns: columns, key: ["product_id", "position"])

  var productID = 0
  var position = 0
  var tag = ""

  var parent: Int { productID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.field("tag", &tag)
  }
}

/// An ingredient of a product.
struct ProductIngredientRow: TableRow, ChildRow {
  static let table = Table("product_ingredient", columns: columns, key: ["product_id", "position"])

  var productID = 0
  var position = 0
  var ingredientID = 0
  var isRemovable = false

  var parent: Int { productID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.reference("ingredient_id", &ingredientID, to: "ingredient")
    try visitor.field("is_removable", &isRemovable)
  }
}

/// A modifier group that applies to a product.
struct ProductModifierGroupRow: TableRow, ChildRow {
  static let table = Table(
    "product_modifier_group", columns: columns, key: ["product_id", "position"])

  var productID = 0
  var position = 0
  var groupID = 0

  var parent: Int { productID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.reference("group_id", &groupID, to: "modifier_group")
  }
}

/// A variant of a product without its price tiers and nutrition.
///
/// The index finds the variants of one product, which the key can't. It costs every write an entry a
/// variant, and a read of the whole menu nothing: with that of ``SlotRow``, 30 of the 1,215 pages of
/// the preset `huge` and a twentieth of the time of its INSERTs.
struct VariantRow: TableRow {
  static let table = Table("variant", columns: columns, key: ["id"], indexes: ["product_id"])

  var id = 0
  var productID = 0
  var position = 0
  var code: String?
  var size = ""
  var dough: String?
  var weight: Int?
  var price = 0
  var image = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.field("size", &size)
    try visitor.field("dough", &dough)
    try visitor.field("weight", &weight)
    try visitor.field("price", &price)
    try visitor.field("image", &image)
  }
}

/// A price tier of a variant.
struct PriceTierRow: TableRow, ChildRow {
  static let table = Table("price_tier", columns: columns, key: ["variant_id", "position"])

  var variantID = 0
  var position = 0
  var name = ""
  var price = 0
  var orderType: String?

  var parent: Int { variantID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("variant_id", &variantID, to: "variant")
    try visitor.field("position", &position)
    try visitor.field("name", &name)
    try visitor.field("price", &price)
    try visitor.field("order_type", &orderType)
  }
}

/// The nutrition of a variant, where it is known.
struct NutritionRow: TableRow, ChildRow {
  static let table = Table("nutrition", columns: columns, key: ["variant_id"])

  var variantID = 0
  var per100g = NutritionFacts.zero
  var whole = NutritionFacts.zero

  var parent: Int { variantID }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("variant_id", &variantID, to: "variant")
    try visitor.field("energy_per_100g", &per100g.energy)
    try visitor.field("proteins_per_100g", &per100g.proteins)
    try visitor.field("fats_per_100g", &per100g.fats)
    try visitor.field("carbohydrates_per_100g", &per100g.carbohydrates)
    try visitor.field("energy", &whole.energy)
    try visitor.field("proteins", &whole.proteins)
    try visitor.field("fats", &whole.fats)
    try visitor.field("carbohydrates", &whole.carbohydrates)
  }
}

extension NutritionFacts {
  fileprivate static var zero: Self {
    Self(energy: 0, proteins: 0, fats: 0, carbohydrates: 0)
  }
}

/// A combo without its slots.
///
/// The index finds the first combos.
struct ComboRow: TableRow, Positioned {
  static let table = Table("combo", columns: columns, key: ["id"], indexes: ["position"])

  var id = 0
  var position = 0
  var code: String?
  var name = ""
  var details = ""
  var price: Int?
  var oldPrice: Int?
  var image = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
    try visitor.field("price", &price)
    try visitor.field("old_price", &oldPrice)
    try visitor.field("image", &image)
  }
}

/// A slot of a combo without its options.
///
/// The index finds the slots of one combo: an entry a slot, as for ``VariantRow``.
struct SlotRow: TableRow {
  static let table = Table("slot", columns: columns, key: ["id"], indexes: ["combo_id"])

  var id = 0
  var comboID = 0
  var position = 0
  var name = ""
  var min = 0
  var max = 0
  var optionListID: Int?
  /// Tells a list of its own that is empty from none.
  var hasOwnOptions = false
  var defaultProductID: Int?

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.reference("combo_id", &comboID, to: "combo")
    try visitor.field("position", &position)
    try visitor.field("name", &name)
    try visitor.field("min", &min)
    try visitor.field("max", &max)
    try visitor.reference("option_list_id", &optionListID, to: "option_list")
    try visitor.field("has_own_options", &hasOwnOptions)
    try visitor.reference("default_product_id", &defaultProductID, to: "product")
  }
}

/// A shared option list without its options.
struct OptionListRow: TableRow, Positioned {
  static let table = Table("option_list", columns: columns, key: ["id"])

  var id = 0
  var position = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
  }
}

/// An option of a shared list or of a slot's own: two tables of one make.
///
/// A product embedded in the menu is kept once, in its own table; the flag says to embed it again.
struct SlotOptionRow<Owner: OptionOwner>: TableRow, ChildRow {
  // Kept by the owner, as a generic type keeps nothing: GRDB asks for its name with every record.
  static var table: Table { Owner.options }

  var ownerID = 0
  var position = 0
  var productID = 0
  var variantID: Int?
  var surcharge = 0
  var embedsProduct = false

  var parent: Int { ownerID }

  // By far the most rows: a call each would show among the exact counts.
  @inline(__always)
  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference(Owner.column, &ownerID, to: Owner.table)
    try visitor.field("position", &position)
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.reference("variant_id", &variantID, to: "variant")
    try visitor.field("surcharge", &surcharge)
    try visitor.field("embeds_product", &embedsProduct)
  }

  /// Describes the table that options of such owners are kept in.
  fileprivate static func makeTable(_ name: String) -> Table {
    Table(name, columns: columns, key: [Owner.column, "position"])
  }
}

/// What options belong to.
protocol OptionOwner: Hashable, Sendable {
  /// The table that owners are kept in.
  static var table: String { get }
  /// The table that their options are kept in.
  static var options: Table { get }
  /// The column by which an option names its owner.
  static var column: String { get }
}

/// A list that slots share.
enum SharedList: OptionOwner {
  static var table: String { "option_list" }
  static let options: Table = SlotOptionRow<SharedList>.makeTable("list_option")
  static var column: String { "option_list_id" }
}

/// A slot with options of its own.
enum OwnList: OptionOwner {
  static var table: String { "slot" }
  static let options: Table = SlotOptionRow<OwnList>.makeTable("slot_option")
  static var column: String { "slot_id" }
}
