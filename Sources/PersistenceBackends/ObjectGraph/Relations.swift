/// A relation to many: a link table between two kinds of objects.
protocol Relation: Hashable, Sendable {
  /// What has the relation.
  associatedtype Source: StoredObject
  /// What it leads to.
  associatedtype Target: StoredObject
  /// The link table's name.
  static var name: String { get }
  /// Whether the targets are parts of the source, so that they go where it goes.
  static var owns: Bool { get }
  /// Where a graph holds the links.
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { get }
}

extension Relation {
  /// They are.
  static var owns: Bool { true }
}

/// One link of a relation.
///
/// The table is kept in the order in which sources list their targets; its index by target is the
/// inverse relation, as Core Data's join tables and Realm's backlinks have it.
struct Link<R: Relation> {
  var source: Int
  var position: Int
  var target: Int
}

extension Link: GraphRow {
  static var table: Table {
    Table(
      R.name, columns: [.integer("source"), .integer("position"), .integer("target")],
      key: ["source", "position"], indexes: ["target"])
  }

  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Self>> { R.place }

  var key: Int { source }

  func put(into sink: inout some ValueSink) {
    sink.put(source)
    sink.put(position)
    sink.put(target)
  }

  init(from row: inout RowReader) throws {
    source = row.int()
    position = row.int()
    target = row.int()
  }
}

/// A relation whose kinds are not named: what is done along every relation of an object.
///
/// Closures rather than an `any Relation.Type`: the compiler specialises these, and a row costs no
/// dynamic dispatch.
struct ToMany: Sendable {
  /// Follows the links of sources.
  let follow: @Sendable (inout GraphWalk, [Int]) throws -> Void
  /// Replaces the links of one source: its key in the graph, then in the store.
  let replace: @Sendable (inout FindOrCreate, Int, Int) throws -> Void
  /// Removes the links of one source.
  let remove: @Sendable (ObjectSession, Int) throws -> Void

  init<R: Relation>(_ type: R.Type) {
    follow = { try $0.follow(type, of: $1) }
    replace = { try $0.replaceLinks(type, of: $1, by: $2) }
    remove = { try $0.removeLinks(type, of: $1) }
  }
}

/// The menu's shelves.
enum MenuCategories: Relation {
  typealias Source = MenuObject
  typealias Target = CategoryObject
  static let name = "menu_categories"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuCategories }
}

/// What the menu's products are made of.
enum MenuIngredients: Relation {
  typealias Source = MenuObject
  typealias Target = IngredientObject
  static let name = "menu_ingredients"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuIngredients }
}

/// What may be added to the menu's products.
enum MenuModifierGroups: Relation {
  typealias Source = MenuObject
  typealias Target = ModifierGroupObject
  static let name = "menu_modifier_groups"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuModifierGroups }
}

/// The menu's own products.
enum MenuProducts: Relation {
  typealias Source = MenuObject
  typealias Target = ProductObject
  static let name = "menu_products"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuProducts }
}

/// The option lists that slots share.
enum MenuOptionLists: Relation {
  typealias Source = MenuObject
  typealias Target = OptionListObject
  static let name = "menu_option_lists"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuOptionLists }
}

/// The menu's combos.
enum MenuCombos: Relation {
  typealias Source = MenuObject
  typealias Target = ComboObject
  static let name = "menu_combos"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuCombos }
}

/// What is out of stock.
enum MenuStopList: Relation {
  typealias Source = MenuObject
  typealias Target = StopListEntryObject
  static let name = "menu_stop_list"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuStopList }
}

/// The menu's texts in further languages.
enum MenuTranslations: Relation {
  typealias Source = MenuObject
  typealias Target = TranslationObject
  static let name = "menu_translations"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.menuTranslations }
}

/// What there is to choose in a modifier group.
enum ModifierGroupOptions: Relation {
  typealias Source = ModifierGroupObject
  typealias Target = ModifierOptionObject
  static let name = "modifier_group_options"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> {
    \.modifierGroupOptions
  }
}

/// The prices of a modifier option.
enum ModifierOptionPrices: Relation {
  typealias Source = ModifierOptionObject
  typealias Target = SizePriceObject
  static let name = "modifier_option_prices"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> {
    \.modifierOptionPrices
  }
}

/// What a customer chooses in a combo.
enum ComboSlots: Relation {
  typealias Source = ComboObject
  typealias Target = SlotObject
  static let name = "combo_slots"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.comboSlots }
}

/// The options of a list.
enum OptionListOptions: Relation {
  typealias Source = OptionListObject
  typealias Target = SlotOptionObject
  static let name = "option_list_options"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.optionListOptions }
}

/// The labels of a product.
enum ProductTags: Relation {
  typealias Source = ProductObject
  typealias Target = TagObject
  static let name = "product_tags"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.productTags }
}

/// The sizes and doughs of a product.
enum ProductVariants: Relation {
  typealias Source = ProductObject
  typealias Target = VariantObject
  static let name = "product_variants"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.productVariants }
}

/// What a product is made of.
enum ProductParts: Relation {
  typealias Source = ProductObject
  typealias Target = ProductIngredientObject
  static let name = "product_parts"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.productParts }
}

/// What may be added to a product; many products share a group.
enum ProductModifierGroups: Relation {
  typealias Source = ProductObject
  typealias Target = ModifierGroupObject
  static let name = "product_modifier_groups"
  static let owns = false
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> {
    \.productModifierGroups
  }
}

/// The further prices of a variant.
enum VariantPriceTiers: Relation {
  typealias Source = VariantObject
  typealias Target = PriceTierObject
  static let name = "variant_price_tiers"
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { \.variantPriceTiers }
}
