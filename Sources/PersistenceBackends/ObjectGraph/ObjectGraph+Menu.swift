import MenuModel

extension ObjectGraph {
  /// Puts the menu together along the links; every object and link is used once.
  ///
  /// - Throws: ``StorageError`` where a link leads nowhere or an object is linked to by none.
  mutating func menu() throws -> Menu {
    guard let root = menus.rows.first, menus.rows.count == 1 else {
      throw StorageError(
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
      })
  }

  private mutating func stopListEntry(_ key: Int) throws -> StopListEntry {
    let entry = try stopList.object(key).object
    return StopListEntry(
      entity: try value(entry.entity), entityID: entry.entityID, until: entry.until)
  }

  private mutating func translation(_ key: Int) throws -> Translation {
    let text = try translations.object(key).object
    return Translation(
      locale: text.locale, entity: try value(text.entity), entityID: text.entityID,
      name: text.name, details: text.details)
  }
}
