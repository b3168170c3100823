import MenuModel

extension Menu {
  /// Puts a menu together from rows in the order of their tables' keys.
  ///
  /// - Throws: ``StorageError`` where rows contradict each other.
  init(_ rows: MenuRows) throws {
    guard let menu = rows.menus.first, rows.menus.count == 1 else {
      throw StorageError(
        operation: "decode", path: "rows", reason: "\(rows.menus.count) menus instead of one")
    }
    let products = try ProductAssembly(rows).products
    let combos = try ComboAssembly(rows, Catalogue(products))
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
      city: menu.city,
      categories: rows.categoryList,
      ingredients: rows.ingredients
        .map { Ingredient(id: $0.id, code: $0.code, name: $0.name) }
        .arranged(by: rows.ingredients),
      modifierGroups: try Self.modifierGroups(rows),
      products: products, optionLists: combos.lists, combos: combos.combos,
      stopList: try Self.stopList(rows), translations: try Self.translations(rows))
  }

  private static func modifierGroups(_ rows: MenuRows) throws -> [ModifierGroup] {
    var options = Children(rows.modifierOptions)
    var prices = Children(rows.modifierPrices)
    let groups = rows.modifierGroups.map { row in
      ModifierGroup(
        id: row.id, name: row.name, min: row.min, max: row.max, free: row.free,
        isRequired: row.isRequired,
        options: options.next(of: row.id).map { option in
          let key = ModifierPriceRow.Option(groupID: option.groupID, position: option.position)
          return ModifierOption(
            ingredientID: option.ingredientID,
            prices: prices.next(of: key).map { SizePrice(size: $0.size, price: $0.price) })
        })
    }
    try options.finish()
    try prices.finish()
    return groups.arranged(by: rows.modifierGroups)
  }

  private static func stopList(_ rows: MenuRows) throws -> [StopListEntry] {
    try rows.stopList.map {
      StopListEntry(entity: try value($0.entity), entityID: $0.entityID, until: $0.until)
    }
  }

  private static func translations(_ rows: MenuRows) throws -> [Translation] {
    try rows.translations.map {
      Translation(
        locale: $0.locale, entity: try value($0.entity), entityID: $0.entityID, name: $0.name,
        details: $0.details)
    }
  }
}

/// The case that a stored text names; throws ``StorageError`` where there is none.
func value<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
  guard let value = Value(rawValue: text) else {
    throw StorageError(
      operation: "decode", path: "rows", reason: "there is no \(Value.self) called \(text)")
  }
  return value
}

extension MenuRows {
  /// The categories in the order of the menu.
  var categoryList: [Category] {
    categories.map { Category(id: $0.id, parentID: $0.parentID, name: $0.name) }
      .arranged(by: categories)
  }
}
