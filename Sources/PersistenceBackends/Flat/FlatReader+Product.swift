import MenuModel

extension FlatReader {
  /// Feeds a product to a checksum as `Product` does.
  mutating func add(_ product: FlatProduct, to checksum: inout Checksum) throws {
    guard let kind = Product.Kind(code: product.kind),
      let availability = Product.Availability(code: product.availability)
    else { throw product.fault(image.products.offset) }
    checksum.add(product.id)
    try addOptional(product.code, to: &checksum)
    checksum.add(product.categoryID)
    checksum.add(kind.rawValue)
    try add(product.name, to: &checksum)
    try add(product.details, to: &checksum)
    try addTags(product.tags, to: &checksum)
    checksum.add(availability.rawValue)
    try addVariants(product.variants, to: &checksum)
    try addParts(product.ingredients, to: &checksum)
    try addGroupIDs(product.modifierGroups, to: &checksum)
  }

  private mutating func addTags(_ range: FlatRange, to checksum: inout Checksum) throws {
    let tags = try run(range, of: image.tags)
    checksum.add(tags.count)
    for index in 0..<tags.count { try add(tags[index], to: &checksum) }
  }

  private mutating func addParts(_ range: FlatRange, to checksum: inout Checksum) throws {
    let parts = try run(range, of: image.parts)
    checksum.add(parts.count)
    for index in 0..<parts.count {
      let part = parts[index]
      checksum.add(part.ingredientID)
      checksum.add(part.isRemovable)
    }
  }

  private mutating func addGroupIDs(_ range: FlatRange, to checksum: inout Checksum) throws {
    let ids = try run(range, of: image.groupIDs)
    checksum.add(ids.count)
    for index in 0..<ids.count { checksum.add(ids[index]) }
  }

  private mutating func addVariants(_ range: FlatRange, to checksum: inout Checksum) throws {
    let variants = try run(range, of: image.variants)
    checksum.add(variants.count)
    for index in 0..<variants.count { try add(variants[index], to: &checksum) }
  }

  @inline(__always)
  private mutating func add(_ variant: FlatVariant, to checksum: inout Checksum) throws {
    checksum.add(variant.id)
    try addOptional(variant.code, to: &checksum)
    try add(variant.size, to: &checksum)
    try addOptional(variant.dough, to: &checksum)
    checksum.add(variant.weight)
    checksum.add(variant.price)
    let tiers = try run(variant.priceTiers, of: image.priceTiers)
    checksum.add(tiers.count)
    for index in 0..<tiers.count {
      let tier = tiers[index]
      try add(tier.text, to: &checksum)
      checksum.add(tier.price)
    }
    try add(variant.image, to: &checksum)
    try addNutrition(variant.nutrition, to: &checksum)
  }

  @inline(__always)
  private mutating func addNutrition(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(number != FlatFormat.none)
    guard number != FlatFormat.none else { return }
    let nutrition = try record(number, of: image.nutrition)
    nutrition.per100g.visit(&checksum)
    nutrition.whole.visit(&checksum)
  }
}

extension FlatFacts {
  @inline(__always)
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(energy)
    checksum.add(proteins)
    checksum.add(fats)
    checksum.add(carbohydrates)
  }
}
