import BackendKit
import MenuModel

/// Takes a menu apart into objects and links.
///
/// Objects get their keys in the order in which a walk of the relations meets them, so a graph that
/// is walked back out of a store is numbered alike.
struct GraphBuilder {
  /// What was added; until ``graph(of:)`` is done, what stands elsewhere is linked to by its id.
  private(set) var graph = ObjectGraph()
  /// The keys of what others refer to, by id; of two with one id the first counts.
  private var directory = KeyMap()

  /// The objects of a menu.
  ///
  /// - Throws: ``StoreError`` where something refers to what the menu does not have.
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
    leaves(.menuStopList, menu, entries) {
      [.text($0.entity.rawValue), .integer($0.entityID), .text($0.until)]
    }
  }

  private mutating func add(_ menu: Menu) {
    let key = append(
      .menu, menu.id,
      [.integer(menu.revision), .text(menu.locale), .text(menu.currency), .text(menu.city)])
    parts(.menuCategories, key, menu.categories) {
      $0.append(.category, $1.id, [.integer($1.parentID), .text($1.name)])
    }
    parts(.menuIngredients, key, menu.ingredients) {
      $0.append(.ingredient, $1.id, [.text($1.code), .text($1.name)])
    }
    parts(.menuModifierGroups, key, menu.modifierGroups) { $0.add($1) }
    parts(.menuProducts, key, menu.products) { $0.add($1) }
    parts(.menuOptionLists, key, menu.optionLists) { $0.add($1.options, id: $1.id) }
    parts(.menuCombos, key, menu.combos) { $0.add($1) }
    addStopList(menu.stopList, of: key)
    leaves(.menuStoreOverrides, key, menu.storeOverrides) {
      [
        .integer($0.storeID), .text($0.entity.rawValue), .integer($0.entityID),
        .integer($0.price), .text($0.availability?.rawValue),
      ]
    }
    leaves(.menuTranslations, key, menu.translations) {
      [
        .text($0.locale), .text($0.entity.rawValue), .integer($0.entityID), .text($0.name),
        .text($0.details),
      ]
    }
  }

  private mutating func add(_ group: ModifierGroup) -> Int {
    let key = append(
      .modifierGroup, group.id,
      [
        .text(group.name), .integer(group.min), .integer(group.max), .integer(group.free),
        .integer(group.isRequired ? 1 : 0),
      ])
    for (position, option) in group.options.enumerated() {
      let part = append(.modifierOption, position, of: key, [.integer(option.ingredientID)])
      leaves(.modifierOptionPrices, part, option.prices) { [.text($0.size), .integer($0.price)] }
      links(.modifierOptionGroups, part, option.modifierGroupIDs)
      link(.modifierGroupOptions, key, position, part)
    }
    return key
  }

  /// Adds a product; its owner is the option that embeds it, 0 where it is the menu's own.
  private mutating func add(_ product: Product, of owner: Int = 0) -> Int {
    let key = append(
      .product, product.id, of: owner,
      [
        .text(product.code), .integer(product.categoryID), .text(product.kind.rawValue),
        .text(product.name), .text(product.details), .text(product.availability.rawValue),
      ])
    links(.productCategories, key, product.otherCategoryIDs)
    leaves(.productHours, key, product.hours) {
      [.integer($0.days), .integer($0.from), .integer($0.until)]
    }
    leaves(.productAllergens, key, product.allergens) { [.text($0.rawValue)] }
    leaves(.productTags, key, product.tags) { [.text($0)] }
    parts(.productVariants, key, product.variants) { $0.add($1, of: key, isOwn: owner == 0) }
    leaves(.productParts, key, product.ingredients) {
      [.integer($0.ingredientID), .integer($0.isRemovable ? 1 : 0)]
    }
    links(.productModifierGroups, key, product.modifierGroupIDs)
    return key
  }

  private mutating func add(_ variant: Variant, of product: Int, isOwn: Bool) -> Int {
    let key = graph[.variant].count + 1
    leaves(.variantPriceTiers, key, variant.priceTiers) {
      [.text($0.name), .integer($0.price), .text($0.orderType?.rawValue)]
    }
    let nutrition = variant.nutrition.map { add($0, of: key) }
    if isOwn { directory.add(.variant, variant.id, key) }
    return append(
      .variant, variant.id, of: product,
      [
        .text(variant.code), .text(variant.size), .text(variant.dough),
        .integer(variant.weight), .integer(variant.price), .text(variant.image),
        .integer(nutrition),
      ])
  }

  private mutating func add(_ nutrition: Nutrition, of variant: Int) -> Int {
    let key = graph[.nutrition].count + 1
    let per100g = add(nutrition.per100g, 0, of: key)
    let whole = add(nutrition.whole, 1, of: key)
    return append(.nutrition, 0, of: variant, [.integer(per100g), .integer(whole)])
  }

  private mutating func add(_ facts: NutritionFacts, _ position: Int, of nutrition: Int) -> Int {
    append(
      .nutritionFacts, position, of: nutrition,
      [
        .real(facts.energy), .real(facts.proteins), .real(facts.fats),
        .real(facts.carbohydrates),
      ])
  }

  /// Adds a combo with its slots.
  private mutating func add(_ combo: Combo) -> Int {
    let key = append(
      .combo, combo.id,
      [
        .text(combo.code), .text(combo.name), .text(combo.details), .integer(combo.price),
        .integer(combo.oldPrice), .text(combo.image),
      ])
    parts(.comboSlots, key, combo.slots) { $0.add($1, of: key) }
    return key
  }

  private mutating func add(_ slot: Slot, of combo: Int) -> Int {
    let key = graph[.slot].count + 1
    let own = slot.options.map { add($0, id: 0, of: key) }
    return append(
      .slot, slot.id, of: combo,
      [
        .text(slot.name), .integer(slot.min), .integer(slot.max), .integer(slot.optionListID),
        .integer(own), .integer(slot.defaultProductID),
      ])
  }

  /// Adds a list of options; its owner is the slot that has it alone, 0 where slots share it.
  private mutating func add(_ options: [SlotOption], id: Int, of slot: Int = 0) -> Int {
    let list = append(.optionList, id, of: slot, [])
    for (position, option) in options.enumerated() {
      let key = graph[.slotOption].count + 1
      let copy = option.product.map { add($0, of: key) }
      _ = append(
        .slotOption, position, of: list,
        [
          .integer(option.productID), .integer(option.variantID), .integer(option.surcharge),
          .integer(copy),
        ])
      link(.optionListOptions, list, position, key)
    }
    return list
  }

  /// Adds an object under the next key of its kind; others may refer to the menu's own by its id.
  @inline(__always)
  private mutating func append(
    _ kind: GraphTable, _ id: Int, of owner: Int = 0, _ attributes: [GraphValue]
  ) -> Int {
    let key = graph[kind].count + 1
    graph[kind].append(key, id, owner, attributes)
    if owner == 0, kind.isReferred { directory.add(kind, id, key) }
    return key
  }

  /// Adds the parts of one source.
  @inline(__always)
  private mutating func parts<Part>(
    _ relation: GraphTable, _ source: Int, _ parts: [Part], _ add: (inout Self, Part) -> Int
  ) {
    for (position, part) in parts.enumerated() {
      link(relation, source, position, add(&self, part))
    }
  }

  /// Adds the parts of one source, which have no id and no parts.
  @inline(__always)
  private mutating func leaves<Part>(
    _ relation: GraphTable, _ source: Int, _ parts: [Part], _ attributes: (Part) -> [GraphValue]
  ) {
    for (position, part) in parts.enumerated() {
      let shape = relation.shape
      let owner = shape.source == .menu ? 0 : source
      let key = append(shape.links[0].kind, position, of: owner, attributes(part))
      link(relation, source, position, key)
    }
  }

  private mutating func links(_ relation: GraphTable, _ source: Int, _ ids: [Int]) {
    for (position, id) in ids.enumerated() { link(relation, source, position, id) }
  }

  private mutating func link(
    _ relation: GraphTable, _ source: Int, _ position: Int, _ target: Int
  ) {
    graph[relation].append(source, position, target)
  }
}
