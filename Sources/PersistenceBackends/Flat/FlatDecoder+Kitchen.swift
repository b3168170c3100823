import MenuModel

extension FlatDecoder {
  /// A text by its number.
  @inline(__always)
  func text(_ number: UInt32) throws -> String { try texts.text(number, image) }

  /// A text that may be absent.
  @inline(__always)
  func optional(_ number: UInt32) throws -> String? { try texts.optional(number, image) }

  /// A category.
  func category(_ record: FlatCategory) throws -> MenuModel.Category {
    Category(id: record.id, parentID: record.parentID, name: try text(record.name))
  }

  /// An ingredient.
  func ingredient(_ record: FlatIngredient) throws -> Ingredient {
    Ingredient(id: record.id, code: try optional(record.code), name: try text(record.name))
  }

  /// An entry of the stop list.
  func stop(_ record: FlatStop) throws -> StopListEntry {
    StopListEntry(
      entity: try entity(record.entity, image.stopList.offset), entityID: record.entityID,
      until: try optional(record.until))
  }

  /// A translation.
  func translation(_ record: FlatTranslation) throws -> Translation {
    Translation(
      locale: try text(record.locale),
      entity: try entity(record.entity, image.translations.offset), entityID: record.entityID,
      name: try text(record.name), details: try optional(record.details))
  }

  /// Every modifier group.
  func modifierGroups() throws -> [ModifierGroup] {
    var prices = FlatLists<FlatPrice, SizePrice>(image.sizePrices)
    var modifiers = FlatLists<FlatModifier, ModifierOption>(image.modifiers)
    return try array(image.modifierGroups.all) { record in
      ModifierGroup(
        id: record.id, name: try text(record.name), min: record.min, max: record.max,
        free: record.free, isRequired: record.isRequired,
        options: try modifiers.list(record.options) { modifier in
          ModifierOption(
            ingredientID: modifier.ingredientID,
            prices: try prices.list(modifier.prices) { price in
              SizePrice(size: try text(price.text), price: price.price)
            })
        })
    }
  }

  @inline(__always)
  private func entity(_ code: UInt32, _ offset: @autoclosure () -> Int) throws -> Entity {
    guard let code = UInt8(exactly: code), let entity = Entity(code: code) else {
      throw FlatFault(reason: "there is no entity \(code)", offset: offset())
    }
    return entity
  }
}
