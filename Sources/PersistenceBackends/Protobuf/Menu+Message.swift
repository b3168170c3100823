import MenuModel

extension PBMenu {
  /// The number of the schema that this program writes, the newest that it reads.
  static let currentSchema: UInt32 = 1

  /// The message of a menu.
  init(_ menu: Menu) {
    self.init()
    id = Int64(menu.id)
    revision = Int64(menu.revision)
    locale = menu.locale
    currency = menu.currency
    city = menu.city
    categories = menu.categories.map { PBCategory($0) }
    ingredients = menu.ingredients.map { PBIngredient($0) }
    modifierGroups = menu.modifierGroups.map { PBModifierGroup($0) }
    products = menu.products.map { PBProduct($0) }
    optionLists = menu.optionLists.map { PBOptionList($0) }
    combos = menu.combos.map { PBCombo($0) }
    stopList = menu.stopList.map { PBStopListEntry($0) }
    translations = menu.translations.map { PBTranslation($0) }
    schema = Self.currentSchema
  }

  /// Throws where the message is not of our schema, which its end tells.
  func checkSchema() throws {
    guard schema != 0 else {
      throw ProtobufFailure("it has no schema number: it is empty, cut short or not a menu")
    }
    guard schema <= Self.currentSchema else {
      throw ProtobufFailure(
        "its schema is \(schema), newer than \(Self.currentSchema), which this program knows")
    }
  }
}

extension Menu {
  /// The menu of a message.
  ///
  /// - Throws: ``ProtobufFailure`` where the message is not of our schema.
  init(_ message: PBMenu) throws {
    try message.checkSchema()
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), revision: Int(message.revision), locale: message.locale,
      currency: message.currency, city: message.city,
      categories: try message.categories.map { try Category($0) },
      ingredients: try message.ingredients.map { try Ingredient($0) },
      modifierGroups: try message.modifierGroups.map { try ModifierGroup($0) },
      products: try message.products.map { try Product($0) },
      optionLists: try message.optionLists.map { try OptionList($0) },
      combos: try message.combos.map { try Combo($0) },
      stopList: try message.stopList.map { try StopListEntry($0) },
      translations: try message.translations.map { try Translation($0) })
  }
}

extension PBCategory {
  init(_ category: Category) {
    self.init()
    id = Int64(category.id)
    if let parent = category.parentID { parentID = Int64(parent) }
    name = category.name
  }
}

extension Category {
  init(_ message: PBCategory) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), parentID: message.hasParentID ? Int(message.parentID) : nil,
      name: message.name)
  }
}
