import BackendKit
import MenuModel

/// A menu as objects and the links between them, each kind in the order of its keys.
///
/// A payload's size is that of the values bound: 8 bytes for a number, the UTF-8 length of a text,
/// nothing for NULL.
package struct ObjectGraph: Hashable, Sendable {
  var menus = OrderedRows<Stored<MenuObject>>()
  var categories = OrderedRows<Stored<CategoryObject>>()
  var ingredients = OrderedRows<Stored<IngredientObject>>()
  var modifierGroups = OrderedRows<Stored<ModifierGroupObject>>()
  var modifierOptions = OrderedRows<Stored<ModifierOptionObject>>()
  var sizePrices = OrderedRows<Stored<SizePriceObject>>()
  var combos = OrderedRows<Stored<ComboObject>>()
  var slots = OrderedRows<Stored<SlotObject>>()
  var optionLists = OrderedRows<Stored<OptionListObject>>()
  var slotOptions = OrderedRows<Stored<SlotOptionObject>>()
  var products = OrderedRows<Stored<ProductObject>>()
  var hours = OrderedRows<Stored<HoursObject>>()
  var allergens = OrderedRows<Stored<AllergenObject>>()
  var tags = OrderedRows<Stored<TagObject>>()
  var productIngredients = OrderedRows<Stored<ProductIngredientObject>>()
  var variants = OrderedRows<Stored<VariantObject>>()
  var priceTiers = OrderedRows<Stored<PriceTierObject>>()
  var nutrition = OrderedRows<Stored<NutritionObject>>()
  var nutritionFacts = OrderedRows<Stored<NutritionFactsObject>>()
  var stopList = OrderedRows<Stored<StopListEntryObject>>()
  var storeOverrides = OrderedRows<Stored<StoreOverrideObject>>()
  var translations = OrderedRows<Stored<TranslationObject>>()

  var menuCategories = OrderedRows<Link<MenuCategories>>()
  var menuIngredients = OrderedRows<Link<MenuIngredients>>()
  var menuModifierGroups = OrderedRows<Link<MenuModifierGroups>>()
  var menuProducts = OrderedRows<Link<MenuProducts>>()
  var menuOptionLists = OrderedRows<Link<MenuOptionLists>>()
  var menuCombos = OrderedRows<Link<MenuCombos>>()
  var menuStopList = OrderedRows<Link<MenuStopList>>()
  var menuStoreOverrides = OrderedRows<Link<MenuStoreOverrides>>()
  var menuTranslations = OrderedRows<Link<MenuTranslations>>()
  var modifierGroupOptions = OrderedRows<Link<ModifierGroupOptions>>()
  var modifierOptionPrices = OrderedRows<Link<ModifierOptionPrices>>()
  var modifierOptionGroups = OrderedRows<Link<ModifierOptionGroups>>()
  var comboSlots = OrderedRows<Link<ComboSlots>>()
  var optionListOptions = OrderedRows<Link<OptionListOptions>>()
  var productCategories = OrderedRows<Link<ProductCategories>>()
  var productHours = OrderedRows<Link<ProductHours>>()
  var productAllergens = OrderedRows<Link<ProductAllergens>>()
  var productTags = OrderedRows<Link<ProductTags>>()
  var productVariants = OrderedRows<Link<ProductVariants>>()
  var productParts = OrderedRows<Link<ProductParts>>()
  var productModifierGroups = OrderedRows<Link<ProductModifierGroups>>()
  var variantPriceTiers = OrderedRows<Link<VariantPriceTiers>>()
}

extension ObjectGraph {
  /// Every table of objects, then of links.
  static let tables: [GraphTable] =
    ObjectKind.all.map(\.table) + ObjectKind.all.flatMap(\.relations).map(\.table)

  /// What makes a database an object store.
  static let schema = StoreSchema(
    content: "an object", owner: 0, version: 2, creation: tables.flatMap(\.table.creation))

  /// The bytes of every value.
  var bytes: Int { Self.tables.reduce(0) { $0 + $1.bytes(self) } }
}

/// A table of the store, and what is done with all of its rows at once.
///
/// Closures, here and below, rather than metatypes: the compiler specialises these, and a row costs
/// no dynamic dispatch.
struct GraphTable: Sendable {
  let table: Table
  /// Adds a graph's rows by the table's prepared INSERT.
  let insert: @Sendable (ObjectGraph, ObjectSession) throws -> Void
  /// Fills a graph by the table's prepared SELECT.
  let select: @Sendable (inout ObjectGraph, ObjectSession) throws -> Void
  /// Removes every row.
  let delete: @Sendable (ObjectSession) throws -> Void
  /// Adds a graph's rows to another under other keys.
  let map: @Sendable (ObjectGraph, KeyMap, inout ObjectGraph) -> Void
  /// The bytes of a graph's rows.
  let bytes: @Sendable (ObjectGraph) -> Int
  /// Throws unless a graph's rows were all used.
  let finish: @Sendable (ObjectGraph) throws -> Void

  init<Row: GraphRow>(_ type: Row.Type) {
    table = Row.table
    insert = { try $1.insert($0[keyPath: Row.path].rows) }
    select = { $0[keyPath: Row.path] = OrderedRows(try $1.all(type)) }
    delete = { try $0.deleteAll(type) }
    map = { graph, keys, mapped in
      mapped[keyPath: Row.path] = OrderedRows(
        graph[keyPath: Row.path].rows.map { $0.mapped(by: keys) })
    }
    bytes = { graph in
      var counter = SizeCounter()
      for var row in graph[keyPath: Row.path].rows { row.fields(&counter) }
      return counter.bytes
    }
    finish = { try $0[keyPath: Row.path].finish() }
  }
}

/// A kind of object that is not named: what is done with every kind.
struct ObjectKind: Sendable {
  let table: GraphTable
  let relations: [ToMany]
  /// Looks up every object of the kind that a graph holds.
  let find: @Sendable (inout FindOrCreate) throws -> Void
  /// Saves every object of the kind that a graph holds.
  let save: @Sendable (inout FindOrCreate) throws -> Void
  /// Removes the objects that the graph doesn't hold.
  let prune: @Sendable (FindOrCreate) throws -> Void

  init<Object: StoredObject>(_ type: Object.Type) {
    table = GraphTable(Stored<Object>.self)
    relations = Object.relations
    find = { try $0.find(type) }
    save = { try $0.save(type) }
    prune = { try $0.prune(type) }
  }

  /// Every kind, owners before their parts.
  static let all: [ObjectKind] = [
    ObjectKind(MenuObject.self), ObjectKind(CategoryObject.self),
    ObjectKind(IngredientObject.self), ObjectKind(ModifierGroupObject.self),
    ObjectKind(ModifierOptionObject.self), ObjectKind(SizePriceObject.self),
    ObjectKind(ComboObject.self), ObjectKind(SlotObject.self),
    ObjectKind(OptionListObject.self), ObjectKind(SlotOptionObject.self),
    ObjectKind(ProductObject.self), ObjectKind(HoursObject.self),
    ObjectKind(AllergenObject.self), ObjectKind(TagObject.self),
    ObjectKind(ProductIngredientObject.self), ObjectKind(VariantObject.self),
    ObjectKind(PriceTierObject.self), ObjectKind(NutritionObject.self),
    ObjectKind(NutritionFactsObject.self), ObjectKind(StopListEntryObject.self),
    ObjectKind(StoreOverrideObject.self), ObjectKind(TranslationObject.self),
  ]
}

/// A relation whose kinds are not named: what is done along every relation of an object.
struct ToMany: Sendable {
  let table: GraphTable
  /// Follows the links of sources.
  let follow: @Sendable (inout GraphWalk, [Int]) throws -> Void
  /// Replaces the links of one source: its key in the graph, then in the store.
  let replace: @Sendable (inout FindOrCreate, Int, Int) throws -> Void
  /// Removes the links of one source.
  let remove: @Sendable (ObjectSession, Int) throws -> Void

  init<R: Relation>(_ type: R.Type) {
    table = GraphTable(Link<R>.self)
    follow = { try $0.follow(type, of: $1) }
    replace = { try $0.replaceLinks(type, of: $1, by: $2) }
    remove = { try $0.removeLinks(type, of: $1) }
  }
}

extension ObjectGraph {
  /// Puts the menu together along the links; every object and link is used once.
  ///
  /// - Throws: ``StoreError`` where a link leads nowhere or an object is linked to by none.
  mutating func menu() throws -> Menu {
    guard let root = menus.rows.first, menus.rows.count == 1 else {
      throw StoreError(
        operation: "decode", path: "objects", reason: "\(menus.rows.count) menus instead of one")
    }
    let menu = Menu(
      id: root.id, revision: root.object.revision, locale: root.object.locale,
      currency: root.object.currency, city: root.object.city,
      categories: try menuCategories.targets(of: root.key).map { try category($0) },
      ingredients: try menuIngredients.targets(of: root.key).map { try ingredient($0) },
      modifierGroups: try menuModifierGroups.targets(of: root.key).map { try modifierGroup($0) },
      products: try menuProducts.targets(of: root.key).map { try product($0) },
      optionLists: try menuOptionLists.targets(of: root.key).map { try optionList($0) },
      combos: try menuCombos.targets(of: root.key).map { try combo($0) },
      stopList: try menuStopList.targets(of: root.key).map { try stopListEntry($0) },
      storeOverrides: try menuStoreOverrides.targets(of: root.key).map { try storeOverride($0) },
      translations: try menuTranslations.targets(of: root.key).map { try translation($0) })
    _ = menus.take(root.key)
    for table in Self.tables { try table.finish(self) }
    return menu
  }

  /// A category.
  mutating func category(_ key: Int) throws -> Category {
    let row = try categories.object(key)
    let parent = try row.object.parent.map { try categories.id(of: $0) }
    return Category(id: row.id, parentID: parent, name: row.object.name)
  }

  private mutating func ingredient(_ key: Int) throws -> Ingredient {
    let row = try ingredients.object(key)
    return Ingredient(id: row.id, code: row.object.code, name: row.object.name)
  }

  private mutating func modifierGroup(_ key: Int) throws -> ModifierGroup {
    let row = try modifierGroups.object(key)
    let group = row.object
    return ModifierGroup(
      id: row.id, name: group.name, min: group.min, max: group.max, free: group.free,
      isRequired: group.isRequired,
      options: try modifierGroupOptions.targets(of: key).map { try modifierOption($0) })
  }

  private mutating func modifierOption(_ key: Int) throws -> ModifierOption {
    let option = try modifierOptions.object(key).object
    return ModifierOption(
      ingredientID: try ingredients.id(of: option.ingredient),
      prices: try modifierOptionPrices.targets(of: key).map {
        let price = try sizePrices.object($0).object
        return SizePrice(size: price.size, price: price.price)
      },
      modifierGroupIDs: try modifierOptionGroups.targets(of: key).map {
        try modifierGroups.id(of: Key($0))
      })
  }

  mutating func stopListEntry(_ key: Int) throws -> StopListEntry {
    let entry = try stopList.object(key).object
    return StopListEntry(
      entity: try value(entry.entity), entityID: entry.entityID, until: entry.until)
  }

  private mutating func storeOverride(_ key: Int) throws -> StoreOverride {
    let override = try storeOverrides.object(key).object
    return StoreOverride(
      storeID: override.storeID, entity: try value(override.entity), entityID: override.entityID,
      price: override.price, availability: try override.availability.map { try value($0) })
  }

  private mutating func translation(_ key: Int) throws -> Translation {
    let text = try translations.object(key).object
    return Translation(
      locale: text.locale, entity: try value(text.entity), entityID: text.entityID,
      name: text.name, details: text.details)
  }

  /// A product with its parts.
  mutating func product(_ key: Int) throws -> Product {
    let row = try products.object(key)
    let product = row.object
    return Product(
      id: row.id, code: product.code, categoryID: try categories.id(of: product.category),
      otherCategoryIDs: try productCategories.targets(of: key).map {
        try categories.id(of: Key($0))
      },
      kind: try value(product.kind), name: product.name, details: product.details,
      tags: try productTags.targets(of: key).map { try tags.object($0).object.text },
      availability: try value(product.availability),
      hours: try productHours.targets(of: key).map {
        let hours = try hours.object($0).object
        return ServingHours(days: hours.days, from: hours.from, until: hours.until)
      },
      allergens: try productAllergens.targets(of: key).map {
        try value(try allergens.object($0).object.name)
      },
      variants: try productVariants.targets(of: key).map { try variant($0) },
      ingredients: try productParts.targets(of: key).map { try part($0) },
      modifierGroupIDs: try productModifierGroups.targets(of: key).map {
        try modifierGroups.id(of: Key($0))
      })
  }

  private mutating func part(_ key: Int) throws -> ProductIngredient {
    let part = try productIngredients.object(key).object
    return ProductIngredient(
      ingredientID: try ingredients.id(of: part.ingredient), isRemovable: part.isRemovable)
  }

  private mutating func variant(_ key: Int) throws -> Variant {
    let row = try variants.object(key)
    let variant = row.object
    return Variant(
      id: row.id, code: variant.code, size: variant.size, dough: variant.dough,
      weight: variant.weight, price: variant.price,
      priceTiers: try variantPriceTiers.targets(of: key).map {
        let tier = try priceTiers.object($0).object
        return PriceTier(
          name: tier.name, price: tier.price, orderType: try tier.orderType.map { try value($0) })
      },
      image: variant.image,
      nutrition: try variant.nutrition.map { try nutrition($0) })
  }

  private mutating func nutrition(_ key: Key<NutritionObject>) throws -> Nutrition {
    let links = try nutrition.object(key.number).object
    return Nutrition(per100g: try facts(links.per100g), whole: try facts(links.whole))
  }

  private mutating func facts(_ key: Key<NutritionFactsObject>) throws -> NutritionFacts {
    let facts = try nutritionFacts.object(key.number).object
    return NutritionFacts(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }

  private mutating func optionList(_ key: Int) throws -> OptionList {
    let row = try optionLists.object(key)
    return OptionList(id: row.id, options: try options(of: key))
  }

  /// A combo with its slots and their own options.
  mutating func combo(_ key: Int) throws -> Combo {
    let row = try combos.object(key)
    let combo = row.object
    return Combo(
      id: row.id, code: combo.code, name: combo.name, details: combo.details,
      price: combo.price, oldPrice: combo.oldPrice, image: combo.image,
      slots: try comboSlots.targets(of: key).map { try slot($0) })
  }

  /// A combo with the options of every slot, and the products that they name, each once.
  mutating func resolvedCombo(_ key: Int) throws -> ResolvedCombo {
    let combo = try combo(key)
    var options: [[SlotOption]] = []
    var named: [Int] = []
    for (slot, row) in zip(combo.slots, comboSlots.targets(of: key)) {
      let links = try slots.object(row).object
      guard let list = links.ownList ?? links.sharedList else {
        options.append([])
        continue
      }
      options.append(try slot.options ?? self.options(of: list.number))
      named += try optionListOptions.targets(of: list.number).map {
        try slotOptions.object($0).object.product.number
      }
    }
    return ResolvedCombo(
      combo: combo, options: options, products: try named.distinct.map { try product($0) })
  }

  private mutating func slot(_ key: Int) throws -> Slot {
    let row = try slots.object(key)
    let slot = row.object
    return Slot(
      id: row.id, name: slot.name, min: slot.min, max: slot.max,
      optionListID: try slot.sharedList.map { try optionLists.id(of: $0) },
      options: try slot.ownList.map {
        _ = try optionLists.object($0.number)
        return try options(of: $0.number)
      },
      defaultProductID: try slot.defaultProduct.map { try products.id(of: $0) })
  }

  private mutating func options(of list: Int) throws -> [SlotOption] {
    try optionListOptions.targets(of: list).map { key in
      let option = try slotOptions.object(key).object
      return SlotOption(
        productID: try products.id(of: option.product),
        variantID: try option.variant.map { try variants.id(of: $0) },
        surcharge: option.surcharge, product: try option.copy.map { try product($0.number) })
    }
  }
}
