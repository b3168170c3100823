import MenuModel

extension FlatEncoder {
  /// A category.
  mutating func add(_ category: MenuModel.Category) {
    categories.append(
      FlatCategory(
        id: category.id, parentID: category.parentID, name: texts.number(of: category.name)))
  }

  /// An ingredient.
  mutating func add(_ ingredient: Ingredient) {
    ingredients.append(
      FlatIngredient(
        id: ingredient.id, code: texts.number(of: ingredient.code),
        name: texts.number(of: ingredient.name)))
  }

  /// A modifier group with its options.
  mutating func add(_ group: ModifierGroup) {
    let first = modifiers.count
    for option in group.options {
      modifiers.append(
        FlatModifier(ingredientID: option.ingredientID, prices: list(option.prices)))
    }
    modifierGroups.append(
      FlatModifierGroup(
        id: group.id, min: group.min, max: group.max, free: group.free,
        name: texts.number(of: group.name), isRequired: group.isRequired,
        options: modifiers.list(from: first)))
  }

  /// An entry of the stop list.
  mutating func add(_ entry: StopListEntry) {
    stopList.append(
      FlatStop(
        entityID: entry.entityID, entity: UInt32(entry.entity.code),
        until: texts.number(of: entry.until)))
  }

  /// A translation.
  mutating func add(_ translation: Translation) {
    translations.append(
      FlatTranslation(
        entityID: translation.entityID, entity: UInt32(translation.entity.code),
        locale: texts.number(of: translation.locale), name: texts.number(of: translation.name),
        details: texts.number(of: translation.details)))
  }

  private mutating func list(_ prices: [SizePrice]) -> FlatRange {
    let first = sizePrices.count
    for price in prices {
      sizePrices.append(FlatPrice(price: price.price, text: texts.number(of: price.size)))
    }
    return sizePrices.list(from: first)
  }
}
