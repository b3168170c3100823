import BackendKit
import Basics
import MenuModel

/// Builds a menu, or a part of one, by following the links of a graph.
struct GraphReader {
  private let graph: ObjectGraph
  /// For each table, the end of the rows used last and the number of rows used.
  private var places: [(end: Int, taken: Int)]

  init(_ graph: ObjectGraph) {
    self.graph = graph
    places = Array(repeating: (0, 0), count: graph.tables.count)
  }

  /// Returns the links of a source and counts them as used.
  mutating func take(_ relation: GraphTable, of source: Int) -> Range<Int> {
    let place = places[relation.rawValue]
    let links = graph[relation].links(of: source, near: place.end)
    places[relation.rawValue] = (links.upperBound, place.taken + links.count)
    return links
  }

  /// Builds the menu and checks that every object and link is used once.
  ///
  /// - Throws: ``StoreError`` if a link leads nowhere or no link leads to an object.
  mutating func menu() throws -> Menu {
    guard graph[.menu].count == 1 else {
      throw failure("\(graph[.menu].count) menus instead of one")
    }
    let key = graph[.menu].key(of: 0)
    var row = try object(.menu, key)
    let menu = Menu(
      id: row.id, revision: int(&row), locale: text(&row), currency: text(&row), city: text(&row),
      categories: try list(.menuCategories, of: key) { try $0.category($1) },
      ingredients: try leaves(.menuIngredients, .ingredient, of: key) {
        Ingredient(id: $1.id, code: $0.textIfAny(&$1), name: $0.text(&$1))
      },
      modifierGroups: try list(.menuModifierGroups, of: key) { try $0.modifierGroup($1) },
      products: try list(.menuProducts, of: key) { try $0.product($1) },
      optionLists: try list(.menuOptionLists, of: key) {
        OptionList(id: try $0.object(.optionList, $1).id, options: try $0.options(of: $1))
      },
      combos: try list(.menuCombos, of: key) { try $0.combo($1) },
      stopList: try list(.menuStopList, of: key) { try $0.stopListEntry($1) },
      storeOverrides: try leaves(.menuStoreOverrides, .storeOverride, of: key) {
        StoreOverride(
          storeID: $0.int(&$1), entity: try value($0.text(&$1)), entityID: $0.int(&$1),
          price: $0.intIfAny(&$1), availability: try $0.textIfAny(&$1).map { try value($0) })
      },
      translations: try leaves(.menuTranslations, .translation, of: key) {
        Translation(
          locale: $0.text(&$1), entity: try value($0.text(&$1)), entityID: $0.int(&$1),
          name: $0.text(&$1),
          details: $0.textIfAny(&$1))
      })
    for (rows, place) in zip(graph.tables, places) where place.taken != rows.count {
      throw failure("\(rows.count) rows of \(rows.table.name), but \(place.taken) linked")
    }
    return menu
  }

  mutating func category(_ key: Int) throws -> Category {
    var row = try object(.category, key)
    return Category(
      id: row.id, parentID: try intIfAny(&row).map { try id(.category, $0) }, name: text(&row))
  }

  private mutating func modifierGroup(_ key: Int) throws -> ModifierGroup {
    var row = try object(.modifierGroup, key)
    return ModifierGroup(
      id: row.id, name: text(&row), min: int(&row), max: int(&row), free: int(&row),
      isRequired: bool(&row),
      options: try list(.modifierGroupOptions, of: key) { try $0.modifierOption($1) })
  }

  private mutating func modifierOption(_ key: Int) throws -> ModifierOption {
    var row = try object(.modifierOption, key)
    return ModifierOption(
      ingredientID: try id(.ingredient, int(&row)),
      prices: try leaves(.modifierOptionPrices, .sizePrice, of: key) {
        SizePrice(size: $0.text(&$1), price: $0.int(&$1))
      },
      modifierGroupIDs: try ids(.modifierOptionGroups, .modifierGroup, of: key))
  }

  mutating func stopListEntry(_ key: Int) throws -> StopListEntry {
    var row = try object(.stopListEntry, key)
    return StopListEntry(
      entity: try value(text(&row)), entityID: int(&row), until: textIfAny(&row))
  }

  /// A product with its parts.
  mutating func product(_ key: Int) throws -> Product {
    var row = try object(.product, key)
    return Product(
      id: row.id, code: textIfAny(&row), categoryID: try id(.category, int(&row)),
      otherCategoryIDs: try ids(.productCategories, .category, of: key),
      kind: try value(text(&row)), name: text(&row), details: text(&row),
      tags: try leaves(.productTags, .tag, of: key) { $0.text(&$1) },
      availability: try value(text(&row)),
      hours: try leaves(.productHours, .hours, of: key) {
        ServingHours(days: $0.int(&$1), from: $0.int(&$1), until: $0.int(&$1))
      },
      allergens: try leaves(.productAllergens, .allergen, of: key) { try value($0.text(&$1)) },
      variants: try list(.productVariants, of: key) { try $0.variant($1) },
      ingredients: try list(.productParts, of: key) {
        var part = try $0.object(.productIngredient, $1)
        return ProductIngredient(
          ingredientID: try $0.id(.ingredient, $0.int(&part)),
          isRemovable: $0.bool(&part))
      },
      modifierGroupIDs: try ids(.productModifierGroups, .modifierGroup, of: key))
  }

  private mutating func variant(_ key: Int) throws -> Variant {
    var row = try object(.variant, key)
    return Variant(
      id: row.id, code: textIfAny(&row), size: text(&row), dough: textIfAny(&row),
      weight: intIfAny(&row), price: int(&row),
      priceTiers: try leaves(.variantPriceTiers, .priceTier, of: key) {
        PriceTier(
          name: $0.text(&$1), price: $0.int(&$1),
          orderType: try $0.textIfAny(&$1).map { try value($0) })
      },
      image: text(&row), nutrition: try intIfAny(&row).map { try nutrition($0) })
  }

  /// A product as a list shows it. Of its parts only the variants are needed, without theirs.
  mutating func card(ofProduct key: Int) throws -> FirstScreen.Card {
    var row = try object(.product, key)
    row.nextText += 2  // code and kind
    let variants = try list(.productVariants, of: key) { reader, key in
      var row = try reader.object(.variant, key)
      row.nextText += 3  // code, size and dough
      _ = reader.intIfAny(&row)  // weight
      return (price: reader.int(&row), image: reader.text(&row))
    }
    return FirstScreen.Card(
      id: row.id, name: text(&row), details: text(&row), price: variants.map { $0.price }.min(),
      image: variants.first?.image)
  }

  private mutating func nutrition(_ key: Int) throws -> Nutrition {
    var row = try object(.nutrition, key)
    return Nutrition(per100g: try facts(int(&row)), whole: try facts(int(&row)))
  }

  private mutating func facts(_ key: Int) throws -> NutritionFacts {
    var row = try object(.nutritionFacts, key)
    return NutritionFacts(
      energy: double(&row), proteins: double(&row), fats: double(&row),
      carbohydrates: double(&row))
  }

  /// A combo with its slots and their own options, as far as they were fetched.
  mutating func combo(_ key: Int) throws -> Combo {
    var row = try object(.combo, key)
    return Combo(
      id: row.id, code: textIfAny(&row), name: text(&row), details: text(&row),
      price: intIfAny(&row), oldPrice: intIfAny(&row), image: text(&row),
      slots: try list(.comboSlots, of: key) { try $0.slot($1) })
  }

  /// A combo with the options of every slot, and their products without duplicates.
  mutating func resolvedCombo(_ key: Int) throws -> ResolvedCombo {
    let combo = try combo(key)
    var options: [[SlotOption]] = []
    var named: [Int] = []
    for (slot, key) in zip(combo.slots, list(.comboSlots, of: key, { $1 })) {
      let row = graph[.slot].row(of: key)
      let list = row.flatMap {
        graph[.slot].link("own_list", of: $0) ?? graph[.slot].link("shared_list", of: $0)
      }
      guard let list else {
        options.append([])
        continue
      }
      options.append(try slot.options ?? self.options(of: list))
      named += try self.list(.optionListOptions, of: list) {
        var row = try $0.object(.slotOption, $1)
        return $0.int(&row)
      }
    }
    return ResolvedCombo(
      combo: combo, options: options, products: try named.distinct.map { try product($0) })
  }

  private mutating func slot(_ key: Int) throws -> Slot {
    var row = try object(.slot, key)
    return Slot(
      id: row.id, name: text(&row), min: int(&row), max: int(&row),
      optionListID: try intIfAny(&row).map { try id(.optionList, $0) },
      options: try intIfAny(&row).map {
        _ = try object(.optionList, $0)
        return try options(of: $0)
      },
      defaultProductID: try intIfAny(&row).map { try id(.product, $0) })
  }

  private mutating func options(of list: Int) throws -> [SlotOption] {
    try self.list(.optionListOptions, of: list) { reader, option in
      var row = try reader.object(.slotOption, option)
      return SlotOption(
        productID: try reader.id(.product, reader.int(&row)),
        variantID: try reader.intIfAny(&row).map { try reader.id(.variant, $0) },
        surcharge: reader.int(&row),
        product: try reader.intIfAny(&row).map { try reader.product($0) })
    }
  }

  /// Makes a value of each key that a source links to.
  @inline(__always)
  private mutating func list<Part>(
    _ relation: GraphTable, of source: Int, _ make: (inout Self, Int) throws -> Part
  ) rethrows -> [Part] {
    let links = take(relation, of: source)
    guard !links.isEmpty else { return [] }
    var list: [Part] = []
    list.reserveCapacity(links.count)
    for link in links { list.append(try make(&self, graph[relation].target(of: link))) }
    return list
  }

  /// Makes values of a source's parts that have only attributes.
  @inline(__always)
  private mutating func leaves<Part>(
    _ relation: GraphTable, _ kind: GraphTable, of source: Int,
    _ make: (inout Self, inout GraphRow) throws -> Part
  ) throws -> [Part] {
    try list(relation, of: source) {
      var row = try $0.object(kind, $1)
      return try make(&$0, &row)
    }
  }

  /// The ids of linked objects that are not parts of the source.
  private mutating func ids(_ relation: GraphTable, _ kind: GraphTable, of source: Int) throws
    -> [Int]
  {
    try list(relation, of: source) { try $0.id(kind, $1) }
  }

  /// The id of an object that another refers to. Throws ``StoreError`` if there is none.
  private func id(_ kind: GraphTable, _ key: Int) throws -> Int {
    guard let row = graph[kind].row(of: key) else { throw missing(kind, key) }
    return graph[kind].id(of: row)
  }

  /// Returns the attributes of an object and counts it as used. Throws ``StoreError`` if there is
  /// none.
  private mutating func object(_ kind: GraphTable, _ key: Int) throws -> GraphRow {
    guard let row = graph[kind].row(of: key) else { throw missing(kind, key) }
    places[kind.rawValue].taken += 1
    return GraphRow(graph[kind], row)
  }

  private func missing(_ kind: GraphTable, _ key: Int) -> StoreError {
    failure("there is no \(kind.name) with the key \(key), though something links to it")
  }

  private func failure(_ reason: String) -> StoreError {
    StoreError(operation: "decode", path: "objects", reason: reason)
  }
}

/// The index of an object's next number and next text, each in the order of the columns.
///
/// It holds indices and not an array, which would be retained and released for each object.
private struct GraphRow {
  let table: GraphTable
  let id: Int
  var nextNumber: Int
  var nextText: Int

  init(_ rows: GraphRows, _ row: Int) {
    (table, id) = (rows.table, rows.id(of: row))
    // The first three numbers are the key, id and owner.
    (nextNumber, nextText) = (row * rows.width + 3, row * rows.textWidth)
  }
}

extension GraphReader {
  private func int(_ row: inout GraphRow) -> Int { Int(number(&row)) }

  private func intIfAny(_ row: inout GraphRow) -> Int? {
    let exists = number(&row) != 0
    let number = int(&row)
    return exists ? number : nil
  }

  private func bool(_ row: inout GraphRow) -> Bool { number(&row) != 0 }

  private func double(_ row: inout GraphRow) -> Double {
    Double(bitPattern: UInt64(bitPattern: number(&row)))
  }

  /// Reads a text from a column that is NOT NULL.
  private func text(_ row: inout GraphRow) -> String { textIfAny(&row) ?? "" }

  private func textIfAny(_ row: inout GraphRow) -> String? {
    row.nextText += 1
    return graph[row.table].texts[row.nextText - 1]
  }

  private func number(_ row: inout GraphRow) -> Int64 {
    row.nextNumber += 1
    return graph[row.table].numbers[row.nextNumber - 1]
  }
}
