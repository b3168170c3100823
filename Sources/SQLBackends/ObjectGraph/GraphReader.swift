import BackendKit
import Basics
import MenuModel

/// Puts a menu, or a part of one, together from a graph, along the links.
struct GraphReader {
  private let graph: ObjectGraph
  /// For every table, where the rows used last end and how many were used.
  private var places: [(end: Int, taken: Int)]

  init(_ graph: ObjectGraph) {
    self.graph = graph
    places = Array(repeating: (0, 0), count: graph.tables.count)
  }

  /// The rows of a key, which count as used from now on.
  mutating func take(_ table: GraphTable, _ key: Int) -> Range<Int> {
    let rows = graph[table].rows(of: key, near: places[table.rawValue].end)
    places[table.rawValue].end = rows.upperBound
    places[table.rawValue].taken += rows.count
    return rows
  }

  /// Puts the menu together; every object and link is used once.
  ///
  /// - Throws: ``StoreError`` where a link leads nowhere or an object is linked to by none.
  mutating func menu() throws -> Menu {
    guard graph[.menu].count == 1 else {
      throw failure("\(graph[.menu].count) menus instead of one")
    }
    let key = graph[.menu].key(of: 0)
    var row = try object(.menu, key)
    let menu = Menu(
      id: row.id, revision: row.int(), locale: row.text(), currency: row.text(), city: row.text(),
      categories: try targets(.menuCategories, of: key).map { try category($0) },
      ingredients: try leaves(.menuIngredients, .ingredient, of: key) {
        Ingredient(id: $0.id, code: $0.textIfAny(), name: $0.text())
      },
      modifierGroups: try targets(.menuModifierGroups, of: key).map { try modifierGroup($0) },
      products: try targets(.menuProducts, of: key).map { try product($0) },
      optionLists: try targets(.menuOptionLists, of: key).map {
        OptionList(id: try object(.optionList, $0).id, options: try options(of: $0))
      },
      combos: try targets(.menuCombos, of: key).map { try combo($0) },
      stopList: try targets(.menuStopList, of: key).map { try stopListEntry($0) },
      storeOverrides: try leaves(.menuStoreOverrides, .storeOverride, of: key) {
        StoreOverride(
          storeID: $0.int(), entity: try value($0.text()), entityID: $0.int(),
          price: $0.intIfAny(), availability: try $0.textIfAny().map { try value($0) })
      },
      translations: try leaves(.menuTranslations, .translation, of: key) {
        Translation(
          locale: $0.text(), entity: try value($0.text()), entityID: $0.int(), name: $0.text(),
          details: $0.textIfAny())
      })
    for (rows, place) in zip(graph.tables, places) where place.taken != rows.count {
      throw failure("\(rows.count) rows of \(rows.table.name), \(place.taken) of them linked to")
    }
    return menu
  }

  /// A category.
  mutating func category(_ key: Int) throws -> Category {
    var row = try object(.category, key)
    return Category(
      id: row.id, parentID: try row.intIfAny().map { try id(.category, $0) }, name: row.text())
  }

  private mutating func modifierGroup(_ key: Int) throws -> ModifierGroup {
    var row = try object(.modifierGroup, key)
    return ModifierGroup(
      id: row.id, name: row.text(), min: row.int(), max: row.int(), free: row.int(),
      isRequired: row.bool(),
      options: try targets(.modifierGroupOptions, of: key).map { try modifierOption($0) })
  }

  private mutating func modifierOption(_ key: Int) throws -> ModifierOption {
    var row = try object(.modifierOption, key)
    return ModifierOption(
      ingredientID: try id(.ingredient, row.int()),
      prices: try leaves(.modifierOptionPrices, .sizePrice, of: key) {
        SizePrice(size: $0.text(), price: $0.int())
      },
      modifierGroupIDs: try ids(.modifierOptionGroups, .modifierGroup, of: key))
  }

  /// An entry of the stop list.
  mutating func stopListEntry(_ key: Int) throws -> StopListEntry {
    var row = try object(.stopListEntry, key)
    return StopListEntry(
      entity: try value(row.text()), entityID: row.int(), until: row.textIfAny())
  }

  /// A product with its parts.
  mutating func product(_ key: Int) throws -> Product {
    var row = try object(.product, key)
    return Product(
      id: row.id, code: row.textIfAny(), categoryID: try id(.category, row.int()),
      otherCategoryIDs: try ids(.productCategories, .category, of: key),
      kind: try value(row.text()), name: row.text(), details: row.text(),
      tags: try leaves(.productTags, .tag, of: key) { $0.text() },
      availability: try value(row.text()),
      hours: try leaves(.productHours, .hours, of: key) {
        ServingHours(days: $0.int(), from: $0.int(), until: $0.int())
      },
      allergens: try leaves(.productAllergens, .allergen, of: key) { try value($0.text()) },
      variants: try targets(.productVariants, of: key).map { try variant($0) },
      ingredients: try targets(.productParts, of: key).map {
        var part = try object(.productIngredient, $0)
        return ProductIngredient(
          ingredientID: try id(.ingredient, part.int()), isRemovable: part.bool())
      },
      modifierGroupIDs: try ids(.productModifierGroups, .modifierGroup, of: key))
  }

  private mutating func variant(_ key: Int) throws -> Variant {
    var row = try object(.variant, key)
    return Variant(
      id: row.id, code: row.textIfAny(), size: row.text(), dough: row.textIfAny(),
      weight: row.intIfAny(), price: row.int(),
      priceTiers: try leaves(.variantPriceTiers, .priceTier, of: key) {
        PriceTier(
          name: $0.text(), price: $0.int(), orderType: try $0.textIfAny().map { try value($0) })
      },
      image: row.text(), nutrition: try row.intIfAny().map { try nutrition($0) })
  }

  private mutating func nutrition(_ key: Int) throws -> Nutrition {
    var row = try object(.nutrition, key)
    return Nutrition(per100g: try facts(row.int()), whole: try facts(row.int()))
  }

  private mutating func facts(_ key: Int) throws -> NutritionFacts {
    var row = try object(.nutritionFacts, key)
    return NutritionFacts(
      energy: row.double(), proteins: row.double(), fats: row.double(),
      carbohydrates: row.double())
  }

  /// A combo with its slots and their own options.
  private mutating func combo(_ key: Int) throws -> Combo {
    var row = try object(.combo, key)
    return Combo(
      id: row.id, code: row.textIfAny(), name: row.text(), details: row.text(),
      price: row.intIfAny(), oldPrice: row.intIfAny(), image: row.text(),
      slots: try targets(.comboSlots, of: key).map { try slot($0) })
  }

  /// A combo with the options of every slot, and the products that they name, each once.
  mutating func resolvedCombo(_ key: Int) throws -> ResolvedCombo {
    let combo = try combo(key)
    var options: [[SlotOption]] = []
    var named: [Int] = []
    let slots = graph[.slot]
    for (slot, key) in zip(combo.slots, targets(.comboSlots, of: key)) {
      let list = take(.slot, key).first.flatMap {
        slots.link("own_list", of: $0) ?? slots.link("shared_list", of: $0)
      }
      guard let list else {
        options.append([])
        continue
      }
      options.append(try slot.options ?? self.options(of: list))
      for option in targets(.optionListOptions, of: list) {
        var row = try object(.slotOption, option)
        named.append(row.int())
      }
    }
    return ResolvedCombo(
      combo: combo, options: options, products: try named.distinct.map { try product($0) })
  }

  private mutating func slot(_ key: Int) throws -> Slot {
    var row = try object(.slot, key)
    return Slot(
      id: row.id, name: row.text(), min: row.int(), max: row.int(),
      optionListID: try row.intIfAny().map { try id(.optionList, $0) },
      options: try row.intIfAny().map {
        _ = try object(.optionList, $0)
        return try options(of: $0)
      },
      defaultProductID: try row.intIfAny().map { try id(.product, $0) })
  }

  private mutating func options(of list: Int) throws -> [SlotOption] {
    try targets(.optionListOptions, of: list).map {
      var row = try object(.slotOption, $0)
      return SlotOption(
        productID: try id(.product, row.int()),
        variantID: try row.intIfAny().map { try id(.variant, $0) }, surcharge: row.int(),
        product: try row.intIfAny().map { try product($0) })
    }
  }

  /// The keys of what a source links to.
  private mutating func targets(_ relation: GraphTable, of source: Int) -> [Int] {
    let links = graph[relation]
    return take(relation, source).map { links.target(of: $0) }
  }

  /// The attributes of an object, which counts as used from now on; throws ``StoreError`` where there
  /// is none.
  private mutating func object(_ kind: GraphTable, _ key: Int) throws -> GraphRow {
    guard let row = take(kind, key).first else { throw missing(kind, key) }
    return graph[kind].attributes(of: row)
  }

  /// Makes values of a source's parts, which have attributes alone.
  private mutating func leaves<Part>(
    _ relation: GraphTable, _ kind: GraphTable, of source: Int,
    _ make: (inout GraphRow) throws -> Part
  ) throws -> [Part] {
    try targets(relation, of: source).map {
      var row = try object(kind, $0)
      return try make(&row)
    }
  }

  /// The ids of what stands elsewhere.
  private mutating func ids(_ relation: GraphTable, _ kind: GraphTable, of source: Int) throws
    -> [Int]
  {
    try targets(relation, of: source).map { try id(kind, $0) }
  }

  /// The id of an object that something refers to; throws ``StoreError`` where there is none.
  private func id(_ kind: GraphTable, _ key: Int) throws -> Int {
    // Keys have no gaps but in a store that lost objects.
    let guess = max(0, min(key - 1, graph[kind].count))
    guard let row = graph[kind].rows(of: key, near: guess).first else { throw missing(kind, key) }
    return graph[kind].id(of: row)
  }

  private func missing(_ kind: GraphTable, _ key: Int) -> StoreError {
    failure("there is no \(kind.name) with the key \(key), though something links to it")
  }

  private func failure(_ reason: String) -> StoreError {
    StoreError(operation: "decode", path: "objects", reason: reason)
  }
}
