import MenuModel

/// Menus written by hand: every field, every optional there and absent, both knobs.
enum Fixtures {
  /// Named menus that every backend must keep.
  static let all: [(name: String, menu: Menu)] = [
    ("full", full), ("embedded", embedding(full)), ("odd texts", oddTexts), ("extremes", extremes),
    ("bare", bare),
  ]

  /// A menu that uses everything, with unordered ids.
  static let full = Menu(
    id: 7, revision: 42, locale: "ru-RU", currency: "RUB", city: "Сыктывкар",
    categories: [
      Category(id: 3, parentID: 9, name: "Острые"), Category(id: 9, name: "Пиццы"),
      Category(id: 1, name: "Напитки"),
    ],
    ingredients: [
      Ingredient(id: 20, code: "MOZ", name: "Моцарелла"), Ingredient(id: 10, name: "Томаты"),
    ],
    modifierGroups: [
      ModifierGroup(
        id: 5, name: "Добавки", min: 0, max: 3, free: 1, isRequired: true,
        options: [
          ModifierOption(
            ingredientID: 20,
            prices: [SizePrice(size: "30 см", price: 99), SizePrice(size: "25 см", price: 79)],
            modifierGroupIDs: [2, 2]),
          ModifierOption(ingredientID: 10),
        ]),
      ModifierGroup(id: 2, name: "Пусто", min: 0, max: 0, options: []),
    ],
    products: [pepperoni, cola, margherita],
    optionLists: [
      OptionList(
        id: 8,
        options: [
          SlotOption(productID: 300, variantID: 31, surcharge: 50), SlotOption(productID: 100),
        ]),
      OptionList(id: 4, options: [SlotOption(productID: 200)]),
    ],
    combos: [lunch, coupon, party],
    stopList: [
      StopListEntry(entity: .product, entityID: 200, until: "2026-03-01T09:00:00+03:00"),
      StopListEntry(entity: .variant, entityID: 31),
      StopListEntry(entity: .ingredient, entityID: 20),
    ],
    storeOverrides: [
      StoreOverride(storeID: 7, entity: .variant, entityID: 31, price: 0),
      StoreOverride(storeID: -1, entity: .product, entityID: 200, availability: .comboOnly),
      StoreOverride(storeID: 7, entity: .combo, entityID: 12, price: 1, availability: .hidden),
      StoreOverride(storeID: 7, entity: .combo, entityID: 12),
    ],
    translations: [
      Translation(
        locale: "en-US", entity: .product, entityID: 300, name: "Pepperoni", details: "Hot one"),
      Translation(locale: "en-US", entity: .category, entityID: 9, name: "Pizza"),
      Translation(locale: "kk-KZ", entity: .slot, entityID: 62, name: "Сусын", details: ""),
    ])

  /// A menu with its slots' products copied into the options.
  static func embedding(_ menu: Menu) -> Menu {
    let products = Dictionary(uniqueKeysWithValues: menu.products.map { ($0.id, $0) })
    func embed(_ options: [SlotOption]) -> [SlotOption] {
      options.map {
        SlotOption(
          productID: $0.productID, variantID: $0.variantID, surcharge: $0.surcharge,
          product: products[$0.productID])
      }
    }
    var menu = menu
    for list in menu.optionLists.indices {
      menu.optionLists[list].options = embed(menu.optionLists[list].options)
    }
    for combo in menu.combos.indices {
      for slot in menu.combos[combo].slots.indices {
        menu.combos[combo].slots[slot].options =
          menu.combos[combo].slots[slot].options.map(embed)
      }
    }
    return menu
  }

  static let bare = Menu(id: 1, revision: 0, locale: "", currency: "", city: "")

  private static let pepperoni = Product(
    id: 300, code: "P-1", categoryID: 3, otherCategoryIDs: [1, 9], kind: .pizza,
    name: "Пепперони", details: "Острая", tags: ["spicy", "new", "spicy"],
    availability: .available,
    hours: [ServingHours(days: 31, from: 420, until: 0), ServingHours(from: 0, until: 1_440)],
    allergens: [.milk, .gluten, .molluscs],
    variants: [
      Variant(
        id: 33, code: "V-33", size: "30 см", dough: "тонкое", weight: 560, price: 58_900,
        priceTiers: [
          PriceTier(name: "Price1-2", price: 1, orderType: .dineIn),
          PriceTier(name: "Price1-1", price: 2),
        ],
        image: "a.webp",
        nutrition: Nutrition(
          per100g: NutritionFacts(energy: 251.7, proteins: 0.1, fats: 0, carbohydrates: 30),
          whole: NutritionFacts(
            energy: 1_409.52, proteins: 60, fats: .leastNonzeroMagnitude, carbohydrates: 1))),
      Variant(id: 31, size: "25 см", price: 0, image: ""),
    ],
    ingredients: [
      ProductIngredient(ingredientID: 20, isRemovable: false),
      ProductIngredient(ingredientID: 10, isRemovable: true),
    ], modifierGroupIDs: [5, 2])

  private static let cola = Product(
    id: 100, categoryID: 1, kind: .drink, name: "Кола", details: "", availability: .comboOnly,
    variants: [Variant(id: 32, size: "0,5 л", dough: "", weight: 0, price: 11_500, image: "c")])

  private static let margherita = Product(
    id: 200, code: "", categoryID: 9, kind: .other, name: "Маргарита", details: "Томаты",
    availability: .hidden,
    variants: [Variant(id: 1, size: "25 см", price: 39_900, image: "m", nutrition: nil)],
    modifierGroupIDs: [2])

  private static let lunch = Combo(
    id: 12, code: "L", name: "Обед", details: "Пицца и напиток", price: 69_900, oldPrice: 80_000,
    image: "l",
    slots: [
      Slot(id: 63, name: "Пицца", min: 1, max: 1, optionListID: 8, defaultProductID: 300),
      Slot(
        id: 62, name: "Напиток", min: 0, max: 2,
        options: [
          SlotOption(productID: 100, surcharge: 7), SlotOption(productID: 100, variantID: 32),
        ]),
    ])

  private static let coupon = Combo(
    id: 15, name: "Купон", details: "", price: nil, image: "", slots: [])

  private static let party = Combo(
    id: 11, name: "Компания", details: "На всех", price: 0, image: "p",
    slots: [
      Slot(id: 61, name: "Пицца", min: 1, max: 1, optionListID: 8),
      Slot(
        id: 64, name: "Ещё", min: 0, max: 1, options: [SlotOption(productID: 200)],
        defaultProductID: 200),
      Slot(id: 60, name: "Вторая", min: 0, max: 1, optionListID: 4),
    ])
}
