import BackendKit

/// A table of the store: a kind of object, or a to-many relation between two kinds.
enum GraphTable: Int, CaseIterable {
  // Owners come before their parts, because find-or-create needs the owners' keys first.
  case menu, category, ingredient, modifierGroup, modifierOption, sizePrice, combo, slot
  case optionList, slotOption, product, hours, allergen, tag, productIngredient, variant
  case priceTier, nutrition, nutritionFacts, stopListEntry, storeOverride, translation
  // The relations of one kind are in the order in which a menu lists them.
  case menuCategories, menuIngredients, menuModifierGroups, menuProducts, menuOptionLists
  case menuCombos, menuStopList, menuStoreOverrides, menuTranslations
  case modifierGroupOptions, modifierOptionPrices, modifierOptionGroups
  case comboSlots, optionListOptions
  case productCategories, productHours, productAllergens, productTags, productVariants
  case productParts, productModifierGroups, variantPriceTiers

  /// The tables of objects.
  static let kinds = allCases.filter { $0.shape.source == nil }

  /// The declaration of each table.
  private static let shapes = allCases.map(\.declared)
  private static let relations = allCases.map { kind in
    allCases.filter { $0.shape.source == kind }
  }

  private static let referred = allCases.map { kind in
    shapes.contains { $0.references.contains { $0.kind == kind } }
  }

  var shape: TableShape { Self.shapes[rawValue] }
  var name: String { shape.table.name }
  /// The relations that start at this kind of object.
  var relations: [GraphTable] { Self.relations[rawValue] }
  /// Whether objects other than the owner refer to this kind of object.
  var isReferred: Bool { Self.referred[rawValue] }

  /// The columns of each kind and the two ends of each relation.
  private var declared: TableShape {
    switch self {
    case .menu:
      object("menu", .integer("revision"), .text("locale"), .text("currency"), .text("city"))
    case .category: object("category", .link("parent", .category).optional, .text("name"))
    case .ingredient: object("ingredient", .text("code").optional, .text("name"))
    case .modifierGroup:
      object(
        "modifier_group", .text("name"), .integer("min"), .integer("max"), .integer("free"),
        .flag("is_required"))
    case .modifierOption:
      object("modifier_option", of: .modifierGroup, .link("ingredient", .ingredient))
    case .sizePrice: object("size_price", of: .modifierOption, .text("size"), .integer("price"))
    case .combo:
      object(
        "combo", .text("code").optional, .text("name"), .text("details"),
        .integer("price").optional, .integer("old_price").optional, .text("image"))
    case .slot:
      object(
        "slot", of: .combo, .text("name"), .integer("min"), .integer("max"),
        .link("shared_list", .optionList).optional, .part("own_list", .optionList).optional,
        .link("default_product", .product).optional)
    // The owner is 0 if several slots share the list.
    case .optionList: object("option_list", of: .slot)
    // `product` is the menu's own product, and `copy` is the embedded one.
    case .slotOption:
      object(
        "slot_option", of: .optionList, .link("product", .product),
        .link("variant", .variant).optional, .integer("surcharge"),
        .part("copy", .product).optional)
    // The owner is the option that embeds the product, or 0 for the menu's own.
    case .product:
      object(
        "product", of: .slotOption, .text("code").optional, .link("category", .category),
        .text("kind"), .text("name"), .text("details"), .text("availability"))
    case .hours:
      object(
        "hours", of: .product, .integer("days"), .integer("from_minute"),
        .integer("until_minute"))
    case .allergen: object("allergen", of: .product, .text("name"))
    case .tag: object("tag", of: .product, .text("text"))
    case .productIngredient:
      object(
        "product_ingredient", of: .product, .link("ingredient", .ingredient),
        .flag("is_removable"))
    case .variant:
      object(
        "variant", of: .product, .text("code").optional, .text("size"), .text("dough").optional,
        .integer("weight").optional, .integer("price"), .text("image"),
        .part("nutrition", .nutrition).optional)
    case .priceTier:
      object(
        "price_tier", of: .variant, .text("name"), .integer("price"),
        .text("order_type").optional)
    case .nutrition:
      object(
        "nutrition", of: .variant, .part("per_100g", .nutritionFacts),
        .part("whole", .nutritionFacts))
    case .nutritionFacts:
      object(
        "nutrition_facts", of: .nutrition, .real("energy"), .real("proteins"), .real("fats"),
        .real("carbohydrates"))
    case .stopListEntry:
      object(
        "stop_list_entry", .text("entity"), .integer("entity_id"), .text("until").optional)
    case .storeOverride:
      object(
        "store_override", .integer("store_id"), .text("entity"), .integer("entity_id"),
        .integer("price").optional, .text("availability").optional)
    case .translation:
      object(
        "translation", .text("locale"), .text("entity"), .integer("entity_id"), .text("name"),
        .text("details").optional)

    case .menuCategories: parts("menu_categories", .menu, .category)
    case .menuIngredients: parts("menu_ingredients", .menu, .ingredient)
    case .menuModifierGroups: parts("menu_modifier_groups", .menu, .modifierGroup)
    case .menuProducts: parts("menu_products", .menu, .product)
    case .menuOptionLists: parts("menu_option_lists", .menu, .optionList)
    case .menuCombos: parts("menu_combos", .menu, .combo)
    case .menuStopList: parts("menu_stop_list", .menu, .stopListEntry)
    case .menuStoreOverrides: parts("menu_store_overrides", .menu, .storeOverride)
    case .menuTranslations: parts("menu_translations", .menu, .translation)
    case .modifierGroupOptions: parts("modifier_group_options", .modifierGroup, .modifierOption)
    case .modifierOptionPrices: parts("modifier_option_prices", .modifierOption, .sizePrice)
    case .modifierOptionGroups: links("modifier_option_groups", .modifierOption, .modifierGroup)
    case .comboSlots: parts("combo_slots", .combo, .slot)
    case .optionListOptions: parts("option_list_options", .optionList, .slotOption)
    case .productCategories: links("product_categories", .product, .category)
    case .productHours: parts("product_hours", .product, .hours)
    case .productAllergens: parts("product_allergens", .product, .allergen)
    case .productTags: parts("product_tags", .product, .tag)
    case .productVariants: parts("product_variants", .product, .variant)
    case .productParts: parts("product_parts", .product, .productIngredient)
    case .productModifierGroups: links("product_modifier_groups", .product, .modifierGroup)
    case .variantPriceTiers: parts("variant_price_tiers", .variant, .priceTier)
    }
  }

  private func object(
    _ name: String, of owner: GraphTable = .menu, _ attributes: GraphColumn...
  ) -> TableShape {
    TableShape(
      name, source: nil, [.link("pk", self), .integer("id"), .link("owner", owner)] + attributes,
      key: ["pk"], constraints: ["UNIQUE (id, owner)"])
  }

  /// A relation to parts of the source, which are deleted with it.
  private func parts(_ name: String, _ source: GraphTable, _ target: GraphTable) -> TableShape {
    relation(name, source, .part("target", target))
  }

  /// A relation to objects that are not parts of the source.
  private func links(_ name: String, _ source: GraphTable, _ target: GraphTable) -> TableShape {
    relation(name, source, .link("target", target))
  }

  private func relation(
    _ name: String, _ source: GraphTable, _ target: GraphColumn
  ) -> TableShape {
    TableShape(
      name, source: source, [.link("source", source), .integer("position"), target],
      key: ["source", "position"])
  }
}

/// A column of the store. A key is the primary key of an object, like Core Data's `Z_PK`: it counts
/// from 1 within its kind.
struct GraphColumn: Sendable {
  enum Content { case integer, flag, real, text, key(GraphTable) }

  /// A StaticString, so that copying a column retains nothing.
  let name: StaticString
  let content: Content
  /// Whether the linked object is a part of this one, so that it is deleted with it.
  private(set) var isPart = false
  private(set) var isOptional = false

  static func integer(_ name: StaticString) -> Self { Self(name: name, content: .integer) }
  static func flag(_ name: StaticString) -> Self { Self(name: name, content: .flag) }
  static func real(_ name: StaticString) -> Self { Self(name: name, content: .real) }
  static func text(_ name: StaticString) -> Self { Self(name: name, content: .text) }
  static func link(_ name: StaticString, _ kind: GraphTable) -> Self {
    Self(name: name, content: .key(kind))
  }
  static func part(_ name: StaticString, _ kind: GraphTable) -> Self {
    Self(name: name, content: .key(kind), isPart: true)
  }

  /// The same column without NOT NULL.
  var optional: Self {
    var column = self
    column.isOptional = true
    return column
  }

  /// The column as SQL declares it.
  fileprivate var declaration: Column {
    let type =
      switch content {
      case .integer, .flag, .key: Int.columnType
      case .real: Double.columnType
      case .text: String.columnType
      }
    return Column(name: name.description, type: isOptional ? type : type + " NOT NULL")
  }
}

/// The declaration of a table, and the layout of its rows in ``GraphRows``.
///
/// The first three columns are numbers. For an object they are its key, its id and its owner's key (0
/// if the menu owns it). For a link they are its source, position and target. An id is unique among
/// the parts of one owner: an entity's own id, or the position in the owner's list if it has none. So an
/// embedded copy of a product is a different object from the menu's own product with the same id.
final class TableShape: Sendable {
  let table: Table
  let columns: [GraphColumn]
  /// The columns after the first three.
  let attributes: [GraphColumn]
  /// The kind at which a relation starts, or nil for a kind of object.
  let source: GraphTable?
  /// Every key in a row.
  let keys: [KeyPlace]
  /// The keys that lead to another object: not an object's own key, its owner's or a link's source.
  let links: [KeyPlace]
  /// The links to objects that are not parts of the row's object or source.
  let references: [KeyPlace]
  /// The number of numbers that ``GraphRows`` stores per row.
  let numbers: Int
  /// The number of texts that it stores per row.
  let texts: Int

  /// Each link has an index, as in Core Data and Realm: a to-one link has one on its column, a to-many
  /// relation has one on its target (Core Data's join tables, Realm's backlinks).
  init(
    _ name: String, source: GraphTable?, _ columns: [GraphColumn], key: [String],
    constraints: [String] = []
  ) {
    var (numbers, texts, keys) = (0, 0, [KeyPlace]())
    for column in columns {
      if case .text = column.content {
        texts += 1
        continue
      }
      numbers += column.isOptional ? 2 : 1
      if case .key(let kind) = column.content {
        keys.append(KeyPlace(column: column, kind: kind, number: numbers - 1))
      }
    }
    links = Array(keys.dropFirst(source == nil ? 2 : 1))
    references = links.filter { !$0.column.isPart }
    table = Table(
      name, columns: columns.map(\.declaration), key: key, constraints: constraints,
      indexes: links.map(\.column.name.description))
    (self.source, self.columns, self.keys) = (source, columns, keys)
    (attributes, self.numbers, self.texts) = (Array(columns.dropFirst(3)), numbers, texts)
  }
}

/// The place of a key in a row.
struct KeyPlace {
  let column: GraphColumn
  /// The kind of object that has the key.
  let kind: GraphTable
  /// The key's index in the row's numbers. If it may be NULL, the number before says if it is there.
  let number: Int
}
