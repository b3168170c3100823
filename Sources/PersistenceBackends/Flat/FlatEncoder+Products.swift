import MenuModel

extension FlatEncoder {
  /// A product of the menu; two equal ones stay two.
  mutating func addOwn(_ product: Product) {
    productIndex.add(product.id, products.count)
    products.append(record(of: product))
    products.keepLast()
  }

  /// The record of a copy that an option embeds: the menu's own where it is bit by bit the same.
  mutating func embed(_ product: Product?) -> UInt32 {
    guard let product else { return FlatFormat.none }
    let first = products.count
    products.append(record(of: product))
    return products.list(from: first).start
  }

  private mutating func record(of product: Product) -> FlatProduct {
    FlatProduct(
      id: product.id, categoryID: product.categoryID, name: texts.number(of: product.name),
      details: texts.number(of: product.details), code: texts.number(of: product.code),
      kind: product.kind.code, availability: product.availability.code,
      tags: list(product.tags), variants: list(product.variants),
      ingredients: list(product.ingredients), modifierGroups: list(product.modifierGroupIDs))
  }

  private mutating func list(_ texts: [String]) -> FlatRange {
    let first = tags.count
    for text in texts { tags.append(self.texts.number(of: text)) }
    return tags.list(from: first)
  }

  private mutating func list(_ ingredients: [ProductIngredient]) -> FlatRange {
    let first = parts.count
    for ingredient in ingredients {
      parts.append(
        FlatPart(ingredientID: ingredient.ingredientID, isRemovable: ingredient.isRemovable))
    }
    return parts.list(from: first)
  }

  private mutating func list(_ ids: [Int]) -> FlatRange {
    let first = groupIDs.count
    for id in ids { groupIDs.append(id) }
    return groupIDs.list(from: first)
  }

  private mutating func list(_ variants: [Variant]) -> FlatRange {
    let first = self.variants.count
    for variant in variants { self.variants.append(record(of: variant)) }
    return self.variants.list(from: first)
  }

  private mutating func record(of variant: Variant) -> FlatVariant {
    FlatVariant(
      id: variant.id, price: variant.price, weight: variant.weight,
      code: texts.number(of: variant.code), size: texts.number(of: variant.size),
      dough: texts.number(of: variant.dough), image: texts.number(of: variant.image),
      priceTiers: list(variant.priceTiers), nutrition: number(of: variant.nutrition))
  }

  private mutating func list(_ tiers: [PriceTier]) -> FlatRange {
    let first = priceTiers.count
    for tier in tiers {
      priceTiers.append(FlatPrice(price: tier.price, text: texts.number(of: tier.name)))
    }
    return priceTiers.list(from: first)
  }

  private mutating func number(of nutrition: Nutrition?) -> UInt32 {
    guard let nutrition else { return FlatFormat.none }
    let first = self.nutrition.count
    self.nutrition.append(
      FlatNutrition(per100g: FlatFacts(nutrition.per100g), whole: FlatFacts(nutrition.whole)))
    return self.nutrition.list(from: first).start
  }
}

extension FlatFacts {
  fileprivate init(_ facts: NutritionFacts) {
    self.init(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }
}
