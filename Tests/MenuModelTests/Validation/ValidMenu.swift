import MenuModel

extension Menu {
  /// A valid menu in which there is something of everything, to be broken by tests.
  static let valid: Menu = {
    let pizza = Product(
      id: 1, categoryID: 2, kind: .pizza, name: "Pizza", details: "", tags: ["new", "hit"],
      variants: [
        Variant(
          id: 11, size: "30 cm", weight: 500, price: 500,
          priceTiers: [PriceTier(name: "pickup", price: 400)], image: "", nutrition: .some(.plain)),
        Variant(id: 12, size: "35 cm", price: 600, image: ""),
      ],
      ingredients: [
        ProductIngredient(ingredientID: 1, isRemovable: true),
        ProductIngredient(ingredientID: 2, isRemovable: false),
      ], modifierGroupIDs: [1, 2])
    let drink = Product(
      id: 2, categoryID: 1, kind: .drink, name: "Tea", details: "",
      variants: [Variant(id: 21, size: "0.5 l", price: 100, image: "")])
    let option = ModifierOption(
      ingredientID: 1,
      prices: [SizePrice(size: "30 cm", price: 50), SizePrice(size: "35 cm", price: 60)])
    return Menu(
      id: 1, revision: 1, locale: "ru-RU", currency: "RUB", city: "",
      categories: [Category(id: 1, name: "Food"), Category(id: 2, parentID: 1, name: "Pizza")],
      ingredients: [Ingredient(id: 1, name: "Cheese"), Ingredient(id: 2, name: "Tomato")],
      modifierGroups: [
        ModifierGroup(id: 1, name: "Toppings", min: 0, max: 5, options: [option]),
        ModifierGroup(id: 2, name: "Crust", min: 1, max: 1, options: [option]),
      ],
      products: [pizza, drink],
      optionLists: [OptionList(id: 1, options: [SlotOption(productID: 1, variantID: 12)])],
      combos: [
        Combo(
          id: 1, name: "Lunch", details: "", price: 550, oldPrice: 600, image: "",
          slots: [
            Slot(id: 1, name: "Pizza", min: 1, max: 1, optionListID: 1, defaultProductID: 1),
            Slot(
              id: 2, name: "Drink", min: 0, max: 1,
              options: [SlotOption(productID: 2, product: drink), SlotOption(productID: 1)],
              defaultProductID: 2),
          ]),
        Combo(id: 2, name: "Coupon", details: "", price: nil, image: "", slots: []),
      ],
      stopList: [StopListEntry(entity: .variant, entityID: 12)],
      translations: [
        Translation(locale: "en-US", entity: .product, entityID: 1, name: "Pizza"),
        Translation(locale: "en-US", entity: .combo, entityID: 1, name: "Lunch"),
      ])
  }()
}

extension Nutrition {
  fileprivate static let plain = Nutrition(
    per100g: NutritionFacts(energy: 250, proteins: 10, fats: 9.5, carbohydrates: 30),
    whole: NutritionFacts(energy: 1250, proteins: 50, fats: 47.5, carbohydrates: 150))
}
