extension MenuCheck {
  mutating func checkProducts() {
    for (position, product) in menu.products.enumerated() where !isFull {
      expectFirst(position, in: index.products, "product", product.id, "products")
      expect(
        index.categories[product.categoryID] != nil, "products[\(position)]",
        "category \(product.categoryID) does not exist")
      expect(!product.variants.isEmpty, "products[\(position)]", "it has no variants")
      expectDifferent(
        product.tags, { "products[\(position)].tags[\($0)]" }, { "tag '\($0)' is there twice" })
      checkIngredients(of: product, at: position)
      checkGroups(of: product, at: position)
      checkVariants(of: product, at: position)
    }
  }

  private mutating func checkIngredients(of product: Product, at position: Int) {
    for (place, ingredient) in product.ingredients.enumerated() where !isFull {
      expect(
        index.ingredients[ingredient.ingredientID] != nil,
        "products[\(position)].ingredients[\(place)]",
        "ingredient \(ingredient.ingredientID) does not exist")
    }
    expectDifferent(
      product.ingredients.map(\.ingredientID), { "products[\(position)].ingredients[\($0)]" },
      { "ingredient \($0) is there twice" })
  }

  private mutating func checkGroups(of product: Product, at position: Int) {
    for (place, group) in product.modifierGroupIDs.enumerated() where !isFull {
      expect(
        index.modifierGroups[group] != nil, "products[\(position)].modifierGroupIDs[\(place)]",
        "modifier group \(group) does not exist")
    }
    expectDifferent(
      product.modifierGroupIDs, { "products[\(position)].modifierGroupIDs[\($0)]" },
      { "modifier group \($0) is there twice" })
  }

  private mutating func checkVariants(of product: Product, at position: Int) {
    for (place, variant) in product.variants.enumerated() where !isFull {
      // Paths are autoclosures further down: this one costs nothing where nothing is wrong.
      func path() -> String { "products[\(position)].variants[\(place)]" }
      if let first = index.variants[variant.id] {
        expect(
          first.product == position && first.variant == place, path(),
          "variant \(variant.id) is already at "
            + "products[\(first.product)].variants[\(first.variant)]")
      }
      expectCount(variant.price, "price", path())
      expectCount(variant.weight ?? 0, "weight", path())
      for (tier, element) in variant.priceTiers.enumerated() where !isFull {
        expectCount(element.price, "price", "\(path()).priceTiers[\(tier)]")
      }
      if let nutrition = variant.nutrition {
        check(nutrition.per100g, "\(path()).nutrition.per100g")
        check(nutrition.whole, "\(path()).nutrition.whole")
      }
    }
  }

  private mutating func check(_ facts: NutritionFacts, _ path: @autoclosure () -> String) {
    expect(facts.energy.isFinite, path(), "energy is \(facts.energy)")
    expect(facts.proteins.isFinite, path(), "proteins is \(facts.proteins)")
    expect(facts.fats.isFinite, path(), "fats is \(facts.fats)")
    expect(facts.carbohydrates.isFinite, path(), "carbohydrates is \(facts.carbohydrates)")
  }
}
