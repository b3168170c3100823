import MenuModel

/// Draws values from a seed.
struct Draw {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func number() -> Int {
    [0, 1, 2, 3, 4, 5, -1, .min, .max, below(1_000)][below(10)]
  }

  private mutating func optional() -> Int? { below(2) == 0 ? nil : number() }
  private mutating func text() -> String { Fixtures.texts[below(Fixtures.texts.count - 1)] }
  private mutating func text() -> String? { below(2) == 0 ? nil : text() as String }

  private mutating func list<Element>(_ element: (inout Draw) -> Element) -> [Element] {
    (0..<below(4)).map { _ in element(&self) }
  }

  private mutating func facts() -> NutritionFacts {
    NutritionFacts(energy: -0.0, proteins: Double(below(9)), fats: 0.1, carbohydrates: 0)
  }

  private mutating func variant() -> Variant {
    Variant(
      id: number(), code: text(), size: text(), dough: text(), weight: optional(), price: number(),
      priceTiers: list { PriceTier(name: $0.text(), price: $0.number()) }, image: text(),
      nutrition: below(2) == 0 ? nil : Nutrition(per100g: facts(), whole: facts()))
  }

  private mutating func product() -> Product {
    Product(
      id: number(), code: text(), categoryID: number(), kind: Product.Kind.allCases[below(6)],
      name: text(), details: text(), tags: list { $0.text() },
      availability: Product.Availability.allCases[below(3)], variants: list { $0.variant() },
      ingredients: list {
        ProductIngredient(ingredientID: $0.number(), isRemovable: $0.below(2) == 0)
      }, modifierGroupIDs: list { $0.number() })
  }

  private mutating func options(_ products: [Product]) -> [SlotOption] {
    list { draw in
      let product = draw.below(3) == 0 ? draw.product() : products.randomElement(&draw)
      return SlotOption(
        productID: draw.below(2) == 0 ? draw.number() : product?.id ?? 0,
        variantID: draw.optional(), surcharge: draw.number(),
        product: draw.below(2) == 0 ? nil : product)
    }
  }

  private mutating func slot(_ products: [Product]) -> Slot {
    Slot(
      id: number(), name: text(), min: number(), max: number(), optionListID: optional(),
      options: below(2) == 0 ? nil : options(products), defaultProductID: optional())
  }

  mutating func menu() -> Menu {
    let products = list { $0.product() } + list { $0.product() }
    return Menu(
      id: number(), revision: number(), locale: text(), currency: text(), city: text(),
      categories: list { Category(id: $0.number(), parentID: $0.optional(), name: $0.text()) },
      ingredients: list { Ingredient(id: $0.number(), code: $0.text(), name: $0.text()) },
      modifierGroups: list { draw in
        ModifierGroup(
          id: draw.number(), name: draw.text(), min: draw.number(), max: draw.number(),
          free: draw.number(), isRequired: draw.below(2) == 0,
          options: draw.list { draw in
            ModifierOption(
              ingredientID: draw.number(),
              prices: draw.list { SizePrice(size: $0.text(), price: $0.number()) })
          })
      }, products: products,
      optionLists: list { OptionList(id: $0.number(), options: $0.options(products)) },
      combos: list { draw in
        Combo(
          id: draw.number(), code: draw.text(), name: draw.text(), details: draw.text(),
          price: draw.optional(), oldPrice: draw.optional(), image: draw.text(),
          slots: draw.list { $0.slot(products) })
      },
      stopList: list {
        StopListEntry(
          entity: Entity.allCases[$0.below(7)], entityID: $0.number(), until: $0.text())
      },
      translations: list {
        Translation(
          locale: $0.text(), entity: Entity.allCases[$0.below(7)], entityID: $0.number(),
          name: $0.text(), details: $0.text())
      })
  }
}

extension [Product] {
  fileprivate func randomElement(_ draw: inout Draw) -> Product? {
    isEmpty ? nil : self[draw.below(count)]
  }
}
