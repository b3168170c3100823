import MenuModel

/// Takes a menu apart into objects and links.
///
/// Objects get their keys in the order in which a walk of the relations meets them, so a graph that
/// is walked back out of a store is numbered alike.
struct GraphBuilder {
  var graph = ObjectGraph()
  /// The keys of what others refer to, by id; of two with one id the first counts.
  private var directory = KeyMap()

  /// The objects of a menu.
  ///
  /// - Throws: ``StorageError`` where something refers to what the menu does not have.
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
    register(ModifierGroupObject.self, group.id, key)
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
    let translations = menu.translations.enumerated().map { position, translation in
      append(
        TranslationObject(
          locale: translation.locale, entity: translation.entity.rawValue,
          entityID: translation.entityID, name: translation.name, details: translation.details),
        id: position)
    }
    graph.menuTranslations.append(translations, of: root)
  }
}

extension GraphBuilder {
  /// Adds an object under the next key of its kind.
  mutating func append<Object: StoredObject>(_ object: Object, id: Int, owner: Int = 0) -> Int {
    let key = graph[keyPath: Object.place].nextKey
    graph[keyPath: Object.place].append(Stored(key: key, id: id, owner: owner, object: object))
    return key
  }

  /// Lets others refer to an object.
  mutating func register<Object: StoredObject>(_ type: Object.Type, _ id: Int, _ key: Int) {
    if directory[type, id] == nil { directory[type, id] = key }
  }

  /// The object of an id.
  func key<Object: StoredObject>(_ type: Object.Type, _ id: Int) throws -> Key<Object> {
    guard let key = directory[type, id] else {
      throw StorageError(
        operation: "encode", path: "menu",
        reason: "\(Object.entity) \(id) is referred to but not in the menu")
    }
    return Key(key)
  }
}
