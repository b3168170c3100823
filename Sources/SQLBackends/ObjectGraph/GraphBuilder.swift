import BackendKit
import MenuModel

/// Takes a menu apart into objects and links.
///
/// Objects get their keys in the order in which a walk of the relations meets them, so a graph that
/// is walked back out of a store is numbered alike.
struct GraphBuilder {
  private var graph = ObjectGraph()
  /// The keys of what others refer to, by id; of two with one id the first counts.
  private var directory = KeyMap()

  /// The objects of a menu.
  ///
  /// - Throws: ``StoreError`` where something refers to what the menu does not have.
  static func graph(of menu: Menu) throws -> ObjectGraph {
    var builder = GraphBuilder()
    try builder.addMenu(menu)
    return builder.graph
  }

  private mutating func addMenu(_ menu: Menu) throws {
    let root = append(
      MenuObject(
        revision: menu.revision, locale: menu.locale, currency: menu.currency, city: menu.city),
      id: menu.id)
    try addShelves(of: menu, root)
    // An option may lead to a later group.
    for (index, group) in menu.modifierGroups.enumerated() {
      register(ModifierGroupObject.self, group.id, index + 1)
    }
    graph.menuModifierGroups.append(try menu.modifierGroups.map { try add($0) }, of: root)
    graph.menuProducts.append(try menu.products.map { try addOwn($0) }, of: root)
    graph.menuOptionLists.append(try menu.optionLists.map { try add($0) }, of: root)
    graph.menuCombos.append(try menu.combos.map { try add($0) }, of: root)
    addNotes(of: menu, root)
  }

  private mutating func addShelves(of menu: Menu, _ root: Int) throws {
    // A shelf may stand in a later one.
    for (index, category) in menu.categories.enumerated() {
      register(CategoryObject.self, category.id, index + 1)
    }
    let categories = try menu.categories.map { category in
      let parent = try category.parentID.map { try key(CategoryObject.self, $0) }
      return append(CategoryObject(parent: parent, name: category.name), id: category.id)
    }
    graph.menuCategories.append(categories, of: root)
    let ingredients = menu.ingredients.map { ingredient in
      let key = append(
        IngredientObject(code: ingredient.code, name: ingredient.name), id: ingredient.id)
      register(IngredientObject.self, ingredient.id, key)
      return key
    }
    graph.menuIngredients.append(ingredients, of: root)
  }

  private mutating func add(_ group: ModifierGroup) throws -> Int {
    let key = append(
      ModifierGroupObject(
        name: group.name, min: group.min, max: group.max, free: group.free,
        isRequired: group.isRequired), id: group.id)
    let options = try group.options.enumerated().map { position, option in
      try add(option, position, of: key)
    }
    graph.modifierGroupOptions.append(options, of: key)
    return key
  }

  private mutating func add(_ option: ModifierOption, _ position: Int, of group: Int) throws -> Int
  {
    let ingredient = try key(IngredientObject.self, option.ingredientID)
    let key = append(ModifierOptionObject(ingredient: ingredient), id: position, owner: group)
    let prices = option.prices.enumerated().map { position, price in
      append(SizePriceObject(size: price.size, price: price.price), id: position, owner: key)
    }
    graph.modifierOptionPrices.append(prices, of: key)
    let groups = try option.modifierGroupIDs.map {
      try self.key(ModifierGroupObject.self, $0).number
    }
    graph.modifierOptionGroups.append(groups, of: key)
    return key
  }

  private mutating func addNotes(of menu: Menu, _ root: Int) {
    let entries = menu.stopList.enumerated().map { position, entry in
      append(
        StopListEntryObject(
          entity: entry.entity.rawValue, entityID: entry.entityID, until: entry.until),
        id: position)
    }
    graph.menuStopList.append(entries, of: root)
    let overrides = menu.storeOverrides.enumerated().map { position, override in
      append(
        StoreOverrideObject(
          storeID: override.storeID, entity: override.entity.rawValue,
          entityID: override.entityID, price: override.price,
          availability: override.availability?.rawValue),
        id: position)
    }
    graph.menuStoreOverrides.append(overrides, of: root)
    let translations = menu.translations.enumerated().map { position, translation in
      append(
        TranslationObject(
          locale: translation.locale, entity: translation.entity.rawValue,
          entityID: translation.entityID, name: translation.name, details: translation.details),
        id: position)
    }
    graph.menuTranslations.append(translations, of: root)
  }

  /// Adds an object under the next key of its kind.
  private mutating func append<Object: StoredObject>(_ object: Object, id: Int, owner: Int = 0)
    -> Int
  {
    let key = graph[keyPath: Object.path].nextKey
    graph[keyPath: Object.path].append(
      Stored(primaryKey: Key(key), id: id, owner: Key(owner), object: object))
    return key
  }

  /// Lets others refer to an object.
  private mutating func register<Object: StoredObject>(_ type: Object.Type, _ id: Int, _ key: Int) {
    if directory[type, id] == nil { directory[type, id] = key }
  }

  /// The object of an id.
  private func key<Object: StoredObject>(_ type: Object.Type, _ id: Int) throws -> Key<Object> {
    guard let key = directory[type, id] else {
      throw StoreError(
        operation: "encode", path: "menu",
        reason: "\(Object.entity) \(id) is referred to but not in the menu")
    }
    return Key(key)
  }

  /// Adds a product of the menu's own, to which others may refer.
  private mutating func addOwn(_ product: Product) throws -> Int {
    let firstVariant = graph.variants.nextKey
    let key = try add(product)
    register(ProductObject.self, product.id, key)
    for (index, variant) in product.variants.enumerated() {
      register(VariantObject.self, variant.id, firstVariant + index)
    }
    return key
  }

  /// Adds a product; its owner is the option that embeds it, 0 where it is the menu's own.
  private mutating func add(_ product: Product, owner: Int = 0) throws -> Int {
    let category = try key(CategoryObject.self, product.categoryID)
    let key = append(
      ProductObject(
        code: product.code, category: category, kind: product.kind.rawValue, name: product.name,
        details: product.details, availability: product.availability.rawValue),
      id: product.id, owner: owner)
    let categories = try product.otherCategoryIDs.map {
      try self.key(CategoryObject.self, $0).number
    }
    graph.productCategories.append(categories, of: key)
    let hours = product.hours.enumerated().map { position, hours in
      append(
        HoursObject(days: hours.days, from: hours.from, until: hours.until), id: position,
        owner: key)
    }
    graph.productHours.append(hours, of: key)
    let allergens = product.allergens.enumerated().map { position, allergen in
      append(AllergenObject(name: allergen.rawValue), id: position, owner: key)
    }
    graph.productAllergens.append(allergens, of: key)
    let tags = product.tags.enumerated().map { position, text in
      append(TagObject(text: text), id: position, owner: key)
    }
    graph.productTags.append(tags, of: key)
    graph.productVariants.append(product.variants.map { add($0, of: key) }, of: key)
    let parts = try product.ingredients.enumerated().map { position, part in
      try add(part, position, of: key)
    }
    graph.productParts.append(parts, of: key)
    let groups = try product.modifierGroupIDs.map {
      try self.key(ModifierGroupObject.self, $0).number
    }
    graph.productModifierGroups.append(groups, of: key)
    return key
  }

  private mutating func add(_ part: ProductIngredient, _ position: Int, of product: Int) throws
    -> Int
  {
    let ingredient = try key(IngredientObject.self, part.ingredientID)
    return append(
      ProductIngredientObject(ingredient: ingredient, isRemovable: part.isRemovable),
      id: position, owner: product)
  }

  private mutating func add(_ variant: Variant, of product: Int) -> Int {
    let key = graph.variants.nextKey
    let tiers = variant.priceTiers.enumerated().map { position, tier in
      append(
        PriceTierObject(
          name: tier.name, price: tier.price, orderType: tier.orderType?.rawValue),
        id: position, owner: key)
    }
    graph.variantPriceTiers.append(tiers, of: key)
    let nutrition = variant.nutrition.map { add($0, of: key) }
    return append(
      VariantObject(
        code: variant.code, size: variant.size, dough: variant.dough, weight: variant.weight,
        price: variant.price, image: variant.image, nutrition: Key(nutrition)),
      id: variant.id, owner: product)
  }

  private mutating func add(_ nutrition: Nutrition, of variant: Int) -> Int {
    let key = graph.nutrition.nextKey
    let per100g = append(NutritionFactsObject(nutrition.per100g), id: 0, owner: key)
    let whole = append(NutritionFactsObject(nutrition.whole), id: 1, owner: key)
    return append(
      NutritionObject(per100g: Key(per100g), whole: Key(whole)), id: 0, owner: variant)
  }

  /// Adds a list that slots share.
  private mutating func add(_ list: OptionList) throws -> Int {
    let key = append(OptionListObject(), id: list.id)
    register(OptionListObject.self, list.id, key)
    try add(list.options, to: key)
    return key
  }

  /// Adds a combo with its slots.
  private mutating func add(_ combo: Combo) throws -> Int {
    let key = append(
      ComboObject(
        code: combo.code, name: combo.name, details: combo.details, price: combo.price,
        oldPrice: combo.oldPrice, image: combo.image), id: combo.id)
    graph.comboSlots.append(try combo.slots.map { try add($0, of: key) }, of: key)
    return key
  }

  private mutating func add(_ slot: Slot, of combo: Int) throws -> Int {
    let key = graph.slots.nextKey
    let shared = try slot.optionListID.map { try self.key(OptionListObject.self, $0) }
    let standard = try slot.defaultProductID.map { try self.key(ProductObject.self, $0) }
    let own = try slot.options.map { options in
      let list = append(OptionListObject(), id: 0, owner: key)
      try add(options, to: list)
      return list
    }
    return append(
      SlotObject(
        name: slot.name, min: slot.min, max: slot.max, sharedList: shared, ownList: Key(own),
        defaultProduct: standard), id: slot.id, owner: combo)
  }

  private mutating func add(_ options: [SlotOption], to list: Int) throws {
    let keys = try options.enumerated().map { position, option in
      try add(option, position, of: list)
    }
    graph.optionListOptions.append(keys, of: list)
  }

  private mutating func add(_ option: SlotOption, _ position: Int, of list: Int) throws -> Int {
    let product = try key(ProductObject.self, option.productID)
    let variant = try option.variantID.map { try self.key(VariantObject.self, $0) }
    let key = graph.slotOptions.nextKey
    let copy = try option.product.map { try add($0, owner: key) }
    return append(
      SlotOptionObject(
        product: product, variant: variant, surcharge: option.surcharge, copy: Key(copy)),
      id: position, owner: list)
  }
}

extension NutritionFactsObject {
  fileprivate init(_ facts: NutritionFacts) {
    self.init(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }
}
