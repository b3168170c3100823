import MenuModel

extension ObjectGraph {
  /// A product with its parts.
  mutating func product(_ key: Int) throws -> Product {
    let row = try products.object(key)
    let product = row.object
    return Product(
      id: row.id, code: product.code, categoryID: try categories.id(of: product.category),
      kind: try value(product.kind), name: product.name, details: product.details,
      tags: try productTags.targets(of: key).map { try tags.object($0).object.text },
      availability: try value(product.availability),
      variants: try productVariants.targets(of: key).map { try variant($0) },
      ingredients: try productParts.targets(of: key).map { try part($0) },
      modifierGroupIDs: try productModifierGroups.targets(of: key).map {
        try modifierGroups.id(of: Key($0))
      })
  }

  private mutating func part(_ key: Int) throws -> ProductIngredient {
    let part = try productIngredients.object(key).object
    return ProductIngredient(
      ingredientID: try ingredients.id(of: part.ingredient), isRemovable: part.isRemovable)
  }

  private mutating func variant(_ key: Int) throws -> Variant {
    let row = try variants.object(key)
    let variant = row.object
    return Variant(
      id: row.id, code: variant.code, size: variant.size, dough: variant.dough,
      weight: variant.weight, price: variant.price,
      priceTiers: try variantPriceTiers.targets(of: key).map {
        let tier = try priceTiers.object($0).object
        return PriceTier(name: tier.name, price: tier.price)
      },
      image: variant.image,
      nutrition: try variant.nutrition.map { try nutrition($0) })
  }

  private mutating func nutrition(_ key: Key<NutritionObject>) throws -> Nutrition {
    let links = try nutrition.object(key.number).object
    return Nutrition(per100g: try facts(links.per100g), whole: try facts(links.whole))
  }

  private mutating func facts(_ key: Key<NutritionFactsObject>) throws -> NutritionFacts {
    let facts = try nutritionFacts.object(key.number).object
    return NutritionFacts(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }
}
