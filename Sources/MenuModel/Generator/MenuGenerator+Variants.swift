extension MenuGenerator {
  /// A real store's 25 pizzas had 73 sizes: two of them lacked the largest.
  mutating func variants(_ index: Int, _ style: ProductStyle) -> [Variant] {
    let sizes = style.sizes.count > 1 && index % 12 == 11 ? 2 : style.sizes.count
    let grams = random.within(style.grams)
    let price = random.within(style.price) * 100
    let hasTiers = style.kind == .pizza && random.once(in: 3)
    // Its 129 variants had 121 nutrition records: 8 of 22 drinks went without.
    let isKnown = style.kind != .drink || index % 11 >= 4
    let per100g = facts(style)
    return (0..<sizes).map { size in
      let amount = grams * (2 + size) / 2
      return variant(
        style, size: size, weight: style.kind == .drink ? nil : amount,
        price: price + 15_000 * size, hasTiers: hasTiers,
        nutrition: isKnown ? per100g.nutrition(of: amount) : nil)
    }
  }

  private mutating func variant(
    _ style: ProductStyle, size: Int, weight: Int?, price: Int, hasTiers: Bool,
    nutrition: Nutrition?
  ) -> Variant {
    Variant(
      id: nextID(), size: style.sizes[size], dough: style.dough.isEmpty ? nil : dough(style, size),
      weight: weight, price: price, priceTiers: hasTiers ? tiers(price) : [], image: image(),
      nutrition: nutrition)
  }

  /// The smallest pizza comes with one dough only.
  private mutating func dough(_ style: ProductStyle, _ size: Int) -> String {
    size == 0 ? style.dough[0] : pick(style.dough)
  }

  private func tiers(_ price: Int) -> [PriceTier] {
    [
      PriceTier(name: "pickup", price: price - 3_000),
      PriceTier(name: "delivery", price: price + 2_000),
    ]
  }

  private mutating func facts(_ style: ProductStyle) -> FactsInTenths {
    FactsInTenths(
      energy: random.within(style.energy), proteins: random.within(5...160),
      fats: random.within(5...180), carbohydrates: random.within(30...400))
  }
}

/// Nutrition in tenths, so that no rounding depends on floating point.
private struct FactsInTenths {
  let energy: Int
  let proteins: Int
  let fats: Int
  let carbohydrates: Int

  func nutrition(of grams: Int) -> Nutrition {
    Nutrition(per100g: times(100), whole: times(grams))
  }

  private func times(_ grams: Int) -> NutritionFacts {
    // The nearest double of a decimal, by IEEE 754: the same wherever this runs.
    func share(_ tenths: Int) -> Double { Double(tenths * grams / 100) / 10 }
    return NutritionFacts(
      energy: share(energy), proteins: share(proteins), fats: share(fats),
      carbohydrates: share(carbohydrates))
  }
}
