import MenuModel

extension GraphBuilder {
  /// Adds a product of the menu's own, to which others may refer.
  mutating func addOwn(_ product: Product) throws -> Int {
    let firstVariant = graph.variants.nextKey
    let key = try add(product)
    register(ProductObject.self, product.id, key)
    for (index, variant) in product.variants.enumerated() {
      register(VariantObject.self, variant.id, firstVariant + index)
    }
    return key
  }

  /// Adds a product; its owner is the option that embeds it, 0 where it is the menu's own.
  mutating func add(_ product: Product, owner: Int = 0) throws -> Int {
    let category = try key(CategoryObject.self, product.categoryID)
    let key = append(
      ProductObject(
        code: product.code, category: category, kind: product.kind.rawValue, name: product.name,
        details: product.details, availability: product.availability.rawValue),
      id: product.id, owner: owner)
    let tags = product.tags.enumerated().map { position, text in
      append(TagObject(text: text), id: position, owner: key)
    }
    graph.productTags.append(tags, of: key)
    graph.productVariants.append(product.variants.map { add($0, of: key) }, of: key)
    let parts = try product.ingredients.enumerated().map { position, part in
      try add(part, position, of: key)
    }
    graph.productParts.append(parts, of: key)
    let groups = try product.modifierGroupIDs.map {
      try self.key(ModifierGroupObject.self, $0).number
    }
    graph.productModifierGroups.append(groups, of: key)
    return key
  }

  private mutating func add(_ part: ProductIngredient, _ position: Int, of product: Int) throws
    -> Int
  {
    let ingredient = try key(IngredientObject.self, part.ingredientID)
    return append(
      ProductIngredientObject(ingredient: ingredient, isRemovable: part.isRemovable),
      id: position, owner: product)
  }

  private mutating func add(_ variant: Variant, of product: Int) -> Int {
    let key = graph.variants.nextKey
    let tiers = variant.priceTiers.enumerated().map { position, tier in
      append(PriceTierObject(name: tier.name, price: tier.price), id: position, owner: key)
    }
    graph.variantPriceTiers.append(tiers, of: key)
    let nutrition = variant.nutrition.map { add($0, of: key) }
    return append(
      VariantObject(
        code: variant.code, size: variant.size, dough: variant.dough, weight: variant.weight,
        price: variant.price, image: variant.image, nutrition: Key(nutrition)),
      id: variant.id, owner: product)
  }

  private mutating func add(_ nutrition: Nutrition, of variant: Int) -> Int {
    let key = graph.nutrition.nextKey
    let per100g = append(NutritionFactsObject(nutrition.per100g), id: 0, owner: key)
    let whole = append(NutritionFactsObject(nutrition.whole), id: 1, owner: key)
    return append(
      NutritionObject(per100g: Key(per100g), whole: Key(whole)), id: 0, owner: variant)
  }
}

extension NutritionFactsObject {
  fileprivate init(_ facts: NutritionFacts) {
    self.init(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }
}
