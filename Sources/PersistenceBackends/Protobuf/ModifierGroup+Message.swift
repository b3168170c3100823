import MenuModel

extension PBIngredient {
  init(_ ingredient: Ingredient) {
    self.init()
    id = Int64(ingredient.id)
    if let code = ingredient.code { self.code = code }
    name = ingredient.name
  }
}

extension Ingredient {
  init(_ message: PBIngredient) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil, name: message.name)
  }
}

extension PBModifierGroup {
  init(_ group: ModifierGroup) {
    self.init()
    id = Int64(group.id)
    name = group.name
    min = Int64(group.min)
    max = Int64(group.max)
    free = Int64(group.free)
    isRequired = group.isRequired
    options = group.options.map { PBModifierOption($0) }
  }
}

extension ModifierGroup {
  init(_ message: PBModifierGroup) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), name: message.name, min: Int(message.min), max: Int(message.max),
      free: Int(message.free), isRequired: message.isRequired,
      options: try message.options.map { try ModifierOption($0) })
  }
}

extension PBModifierOption {
  init(_ option: ModifierOption) {
    self.init()
    ingredientID = Int64(option.ingredientID)
    prices = option.prices.map { PBSizePrice($0) }
  }
}

extension ModifierOption {
  init(_ message: PBModifierOption) throws {
    try message.refuseUnknownFields()
    self.init(
      ingredientID: Int(message.ingredientID), prices: try message.prices.map { try SizePrice($0) })
  }
}

extension PBSizePrice {
  init(_ price: SizePrice) {
    self.init()
    size = price.size
    self.price = Int64(price.price)
  }
}

extension SizePrice {
  init(_ message: PBSizePrice) throws {
    try message.refuseUnknownFields()
    self.init(size: message.size, price: Int(message.price))
  }
}
