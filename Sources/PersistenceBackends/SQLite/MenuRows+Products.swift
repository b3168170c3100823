import MenuModel

extension MenuRows {
  /// Adds products and their lists, variants apart.
  mutating func addProducts(_ all: [Product]) {
    for index in all.indices(by: \.id) {
      let product = all[index]
      products.append(
        ProductRow(
          id: product.id, position: index, code: product.code, categoryID: product.categoryID,
          kind: product.kind.rawValue, name: product.name, details: product.details,
          availability: product.availability.rawValue))
      for (position, tag) in product.tags.enumerated() {
        productTags.append(ProductTagRow(productID: product.id, position: position, tag: tag))
      }
      for (position, ingredient) in product.ingredients.enumerated() {
        productIngredients.append(
          ProductIngredientRow(
            productID: product.id, position: position, ingredientID: ingredient.ingredientID,
            isRemovable: ingredient.isRemovable))
      }
      for (position, group) in product.modifierGroupIDs.enumerated() {
        productModifierGroups.append(
          ProductModifierGroupRow(productID: product.id, position: position, groupID: group))
      }
    }
  }

  /// Adds the variants of all products, by their own ids.
  mutating func addVariants(_ products: [Product]) {
    let all = products.flatMap { product in
      product.variants.enumerated().map {
        Placed(parent: product.id, position: $0.offset, value: $0.element)
      }
    }
    for index in all.indices(by: \.value.id) {
      let placed = all[index]
      add(placed.value, of: placed.parent, at: placed.position)
    }
  }

  private mutating func add(_ variant: Variant, of product: Int, at position: Int) {
    variants.append(
      VariantRow(
        id: variant.id, productID: product, position: position, code: variant.code,
        size: variant.size, dough: variant.dough, weight: variant.weight, price: variant.price,
        image: variant.image))
    for (position, tier) in variant.priceTiers.enumerated() {
      priceTiers.append(
        PriceTierRow(
          variantID: variant.id, position: position, name: tier.name, price: tier.price))
    }
    if let facts = variant.nutrition {
      nutrition.append(
        NutritionRow(variantID: variant.id, per100g: facts.per100g, whole: facts.whole))
    }
  }
}
