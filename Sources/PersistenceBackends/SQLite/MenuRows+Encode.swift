import MenuModel

extension MenuRows {
  /// Takes a menu apart; every array comes out in the order of its table's key.
  ///
  /// - Throws: ``StorageError`` where an embedded product is not the menu's own.
  init(_ menu: Menu) throws {
    menus = [
      MenuRow(
        id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
        city: menu.city)
    ]
    addShelves(of: menu)
    addModifiers(menu.modifierGroups)
    addProducts(menu.products)
    addVariants(menu.products)
    let catalogue = Catalogue(menu.products)
    try addOptionLists(menu.optionLists, catalogue)
    addCombos(menu.combos)
    try addSlots(menu.combos, catalogue)
    addNotes(of: menu)
  }

  private mutating func addShelves(of menu: Menu) {
    for index in menu.categories.indices(by: \.id) {
      let category = menu.categories[index]
      categories.append(
        CategoryRow(
          id: category.id, position: index, parentID: category.parentID, name: category.name))
    }
    for index in menu.ingredients.indices(by: \.id) {
      let ingredient = menu.ingredients[index]
      ingredients.append(
        IngredientRow(
          id: ingredient.id, position: index, code: ingredient.code, name: ingredient.name))
    }
  }

  private mutating func addModifiers(_ groups: [ModifierGroup]) {
    for index in groups.indices(by: \.id) {
      let group = groups[index]
      modifierGroups.append(
        ModifierGroupRow(
          id: group.id, position: index, name: group.name, min: group.min, max: group.max,
          free: group.free, isRequired: group.isRequired))
      for (position, option) in group.options.enumerated() {
        modifierOptions.append(
          ModifierOptionRow(
            groupID: group.id, position: position, ingredientID: option.ingredientID))
        for (tier, price) in option.prices.enumerated() {
          modifierPrices.append(
            ModifierPriceRow(
              groupID: group.id, optionPosition: position, position: tier, size: price.size,
              price: price.price))
        }
      }
    }
  }

  private mutating func addNotes(of menu: Menu) {
    for (position, entry) in menu.stopList.enumerated() {
      stopList.append(
        StopListRow(
          position: position, entity: entry.entity.rawValue, entityID: entry.entityID,
          until: entry.until))
    }
    for (position, translation) in menu.translations.enumerated() {
      translations.append(
        TranslationRow(
          position: position, locale: translation.locale, entity: translation.entity.rawValue,
          entityID: translation.entityID, name: translation.name, details: translation.details))
    }
  }
}
