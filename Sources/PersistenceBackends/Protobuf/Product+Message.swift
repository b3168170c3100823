import MenuModel

extension PBProduct {
  init(_ product: Product) {
    self.init()
    id = Int64(product.id)
    if let code = product.code { self.code = code }
    categoryID = Int64(product.categoryID)
    kind = Kind(product.kind)
    name = product.name
    details = product.details
    tags = product.tags
    availability = Availability(product.availability)
    variants = product.variants.map { PBVariant($0) }
    ingredients = product.ingredients.map { PBProductIngredient($0) }
    modifierGroupIds = product.modifierGroupIDs.map { Int64($0) }
  }
}

extension Product {
  init(_ message: PBProduct) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil,
      categoryID: Int(message.categoryID),
      kind: try known(
        Kind(message.kind), "product \(message.id) is of kind \(message.kind.rawValue)"),
      name: message.name, details: message.details, tags: message.tags,
      availability: try known(
        Availability(message.availability),
        "product \(message.id) is of availability \(message.availability.rawValue)"),
      variants: try message.variants.map { try Variant($0) },
      ingredients: try message.ingredients.map { try ProductIngredient($0) },
      modifierGroupIDs: message.modifierGroupIds.map { Int($0) })
  }
}

extension PBProductIngredient {
  init(_ ingredient: ProductIngredient) {
    self.init()
    ingredientID = Int64(ingredient.ingredientID)
    isRemovable = ingredient.isRemovable
  }
}

extension ProductIngredient {
  init(_ message: PBProductIngredient) throws {
    try message.refuseUnknownFields()
    self.init(ingredientID: Int(message.ingredientID), isRemovable: message.isRemovable)
  }
}
