import BackendKit
import MenuModel

/// Splits a menu into objects and links.
///
/// Objects get their keys in the order in which a walk along the relations meets them. A graph that
/// such a walk reads back from a store therefore has the same keys.
struct GraphBuilder {
  /// The objects added so far. Until ``graph(of:)`` ends, they refer to other objects by id.
  private(set) var graph = ObjectGraph()
  /// The keys of objects that others refer to, by id. If an id occurs twice, the first object counts.
  private var directory = KeyMap()

  /// Converts a menu into objects.
  ///
  /// - Throws: ``StoreError`` if the menu lacks something that it refers to.
  static func graph(of menu: Menu) throws -> ObjectGraph {
    var builder = GraphBuilder()
    builder.add(menu)
    let directory = builder.directory
    try builder.graph.rekey(\.references) { kind, id in
      guard let key = directory[kind, id] else {
        throw StoreError(
          operation: "encode", path: "menu",
          reason: "\(kind.name) \(id) is referred to but not in the menu")
      }
      return key
    }
    return builder.graph
  }

  /// Adds the stop list of a menu.
  mutating func addStopList(_ entries: [StopListEntry], of menu: Int) {
    listed(.menuStopList, menu, entries) {
      $0.append(
        .stopListEntry, $2, .text($1.entity.rawValue), .integer($1.entityID), .text($1.until))
    }
  }

  private mutating func add(_ menu: Menu) {
    let key = append(
      .menu, menu.id, .integer(menu.revision), .text(menu.locale), .text(menu.currency),
      .text(menu.city))
    parts(.menuCategories, key, menu.categories) {
      $0.append(.category, $1.id, .integerIfAny($1.parentID), .text($1.name))
    }
    parts(.menuIngredients, key, menu.ingredients) {
      $0.append(.ingredient, $1.id, .text($1.code), .text($1.name))
    }
    parts(.menuModifierGroups, key, menu.modifierGroups) { $0.add($1) }
    parts(.menuProducts, key, menu.products) { $0.add($1) }
    parts(.menuOptionLists, key, menu.optionLists) { $0.add($1.options, id: $1.id) }
    parts(.menuCombos, key, menu.combos) { $0.add($1) }
    addStopList(menu.stopList, of: key)
    listed(.menuStoreOverrides, key, menu.storeOverrides) {
      $0.append(
        .storeOverride, $2, .integer($1.storeID), .text($1.entity.rawValue),
        .integer($1.entityID), .integerIfAny($1.price), .text($1.availability?.rawValue))
    }
    listed(.menuTranslations, key, menu.translations) {
      $0.append(
        .translation, $2, .text($1.locale), .text($1.entity.rawValue), .integer($1.entityID),
        .text($1.name), .text($1.details))
    }
  }

  private mutating func add(_ group: ModifierGroup) -> Int {
    let key = append(
      .modifierGroup, group.id, .text(group.name), .integer(group.min), .integer(group.max),
      .integer(group.free), .integer(group.isRequired ? 1 : 0))
    listed(.modifierGroupOptions, key, group.options) { $0.add($1, $2, of: key) }
    return key
  }

  private mutating func add(_ option: ModifierOption, _ position: Int, of group: Int) -> Int {
    let key = append(.modifierOption, position, of: group, .integer(option.ingredientID))
    listed(.modifierOptionPrices, key, option.prices) {
      $0.append(.sizePrice, $2, of: key, .text($1.size), .integer($1.price))
    }
    links(.modifierOptionGroups, key, option.modifierGroupIDs)
    return key
  }

  /// Adds a product. Its owner is the option that embeds it, or 0 for the menu's own product.
  private mutating func add(_ product: Product, of owner: Int = 0) -> Int {
    let key = append(
      .product, product.id, of: owner, .text(product.code), .integer(product.categoryID),
      .text(product.kind.rawValue), .text(product.name), .text(product.details),
      .text(product.availability.rawValue))
    links(.productCategories, key, product.otherCategoryIDs)
    listed(.productHours, key, product.hours) {
      $0.append(
        .hours, $2, of: key, .integer($1.days), .integer($1.from), .integer($1.until))
    }
    listed(.productAllergens, key, product.allergens) {
      $0.append(.allergen, $2, of: key, .text($1.rawValue))
    }
    listed(.productTags, key, product.tags) { $0.append(.tag, $2, of: key, .text($1)) }
    parts(.productVariants, key, product.variants) { $0.add($1, of: key, isOwn: owner == 0) }
    listed(.productParts, key, product.ingredients) {
      $0.append(
        .productIngredient, $2, of: key, .integer($1.ingredientID),
        .integer($1.isRemovable ? 1 : 0))
    }
    links(.productModifierGroups, key, product.modifierGroupIDs)
    return key
  }

  private mutating func add(_ variant: Variant, of product: Int, isOwn: Bool) -> Int {
    let key = nextKey(.variant)
    listed(.variantPriceTiers, key, variant.priceTiers) {
      $0.append(
        .priceTier, $2, of: key, .text($1.name), .integer($1.price), .text($1.orderType?.rawValue))
    }
    let nutrition = variant.nutrition.map { add($0, of: key) }
    if isOwn { directory.add(.variant, variant.id, key) }
    return append(
      .variant, variant.id, of: product, .text(variant.code), .text(variant.size),
      .text(variant.dough), .integerIfAny(variant.weight), .integer(variant.price),
      .text(variant.image), .integerIfAny(nutrition))
  }

  private mutating func add(_ nutrition: Nutrition, of variant: Int) -> Int {
    let key = nextKey(.nutrition)
    let per100g = add(nutrition.per100g, 0, of: key)
    let whole = add(nutrition.whole, 1, of: key)
    return append(.nutrition, 0, of: variant, .integer(per100g), .integer(whole))
  }

  private mutating func add(_ facts: NutritionFacts, _ position: Int, of nutrition: Int) -> Int {
    append(
      .nutritionFacts, position, of: nutrition, .real(facts.energy), .real(facts.proteins),
      .real(facts.fats), .real(facts.carbohydrates))
  }

  private mutating func add(_ combo: Combo) -> Int {
    let key = append(
      .combo, combo.id, .text(combo.code), .text(combo.name), .text(combo.details),
      .integerIfAny(combo.price), .integerIfAny(combo.oldPrice), .text(combo.image))
    parts(.comboSlots, key, combo.slots) { $0.add($1, of: key) }
    return key
  }

  private mutating func add(_ slot: Slot, of combo: Int) -> Int {
    let key = nextKey(.slot)
    let own = slot.options.map { add($0, id: 0, of: key) }
    return append(
      .slot, slot.id, of: combo, .text(slot.name), .integer(slot.min), .integer(slot.max),
      .integerIfAny(slot.optionListID), .integerIfAny(own), .integerIfAny(slot.defaultProductID))
  }

  /// Adds an option list. Its owner is the slot that owns it, or 0 if slots share it.
  private mutating func add(_ options: [SlotOption], id: Int, of slot: Int = 0) -> Int {
    let key = append(.optionList, id, of: slot)
    listed(.optionListOptions, key, options) { $0.add($1, $2, of: key) }
    return key
  }

  private mutating func add(_ option: SlotOption, _ position: Int, of list: Int) -> Int {
    let key = nextKey(.slotOption)
    let copy = option.product.map { add($0, of: key) }
    return append(
      .slotOption, position, of: list, .integer(option.productID),
      .integerIfAny(option.variantID), .integer(option.surcharge), .integerIfAny(copy))
  }

  private func nextKey(_ kind: GraphTable) -> Int { graph[kind].count + 1 }

  /// Adds an object under the next key of its kind. Others can refer to the menu's own by its id.
  ///
  /// The attributes are parameters, because an array of them would be allocated for each object.
  @inline(__always)
  private mutating func append(
    _ kind: GraphTable, _ id: Int, of owner: Int = 0, _ first: GraphValue? = nil,
    _ second: GraphValue? = nil, _ third: GraphValue? = nil, _ fourth: GraphValue? = nil,
    _ fifth: GraphValue? = nil, _ sixth: GraphValue? = nil, _ seventh: GraphValue? = nil
  ) -> Int {
    let key = nextKey(kind)
    graph[kind].append(key, id, owner)
    if let first { graph[kind].append(first) }
    if let second { graph[kind].append(second) }
    if let third { graph[kind].append(third) }
    if let fourth { graph[kind].append(fourth) }
    if let fifth { graph[kind].append(fifth) }
    if let sixth { graph[kind].append(sixth) }
    if let seventh { graph[kind].append(seventh) }
    if owner == 0, kind.isReferred { directory.add(kind, id, key) }
    return key
  }

  /// Adds the parts of a source that have ids of their own.
  @inline(__always)
  private mutating func parts<Part>(
    _ relation: GraphTable, _ source: Int, _ parts: [Part], _ add: (inout Self, Part) -> Int
  ) {
    listed(relation, source, parts) { builder, part, _ in add(&builder, part) }
  }

  /// Adds the parts of a source that have their positions as ids.
  @inline(__always)
  private mutating func listed<Part>(
    _ relation: GraphTable, _ source: Int, _ parts: [Part],
    _ add: (inout Self, Part, Int) -> Int
  ) {
    for (position, part) in parts.enumerated() {
      let target = add(&self, part, position)
      graph[relation].append(source, position, target)
    }
  }

  /// Adds links to objects that are not parts of the source.
  private mutating func links(_ relation: GraphTable, _ source: Int, _ ids: [Int]) {
    parts(relation, source, ids) { $1 }
  }
}
