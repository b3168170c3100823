import MenuModel
import MenuSources

extension Fixtures {
  /// Texts that backends like to change.
  static let texts = [
    "", " ", "\u{0}", "a\u{0}b", "\u{0}\u{0}tail", "é", "e\u{301}", "פיצה עם גבינה", "\u{202E}abc",
    "\u{FEFF}mark", "👨‍👩‍👧‍👦", "\u{1F1F7}", "'; DROP TABLE product; --", "\"\\/\n\r\t", "NULL", "1",
    "1e3", "\u{2028}", "\u{FFFF}", "\u{10FFFF}", String(repeating: "ж", count: 3_000),
  ]

  /// Every one of ``texts`` in tags, names and tiers.
  static let oddTexts = Menu(
    id: 1, revision: 1, locale: "e\u{301}", currency: "\u{0}", city: "é",
    categories: [Category(id: 1, name: "a\u{0}b")],
    products: [
      Product(
        id: 1, code: "\u{0}", categoryID: 1, kind: .pizza, name: "e\u{301}", details: "é",
        tags: texts,
        variants: texts.enumerated().map { index, text in
          Variant(
            id: index, code: text, size: text, dough: text, price: 1,
            priceTiers: [PriceTier(name: text, price: index)], image: text)
        })
    ],
    translations: texts.map {
      Translation(locale: $0, entity: .product, entityID: 1, name: $0, details: $0)
    })

  /// Ids that repeat, embedded products that are not the menu's own, and lists that do not exist: what
  /// keeps no references keeps it all the same.
  static let careless: Menu = {
    var menu = embedding(full)
    menu.products.append(menu.products[0])
    menu.products[3].name = "Пепперони\u{0} ещё раз"
    menu.products[3].variants[0].price = 5
    menu.categories += [menu.categories[1], menu.categories[1]]
    menu.combos.append(menu.combos[0])
    menu.combos[3].name = "Второй обед"
    menu.combos[1].slots = [Slot(id: 99, name: "Ничей", min: 0, max: 1, optionListID: 404)]
    menu.combos[2].slots[1].options?[0].product?.name = "не та"
    menu.combos[2].slots[1].options?.append(SlotOption(productID: 4_711))
    menu.translations = (0..<150).map {
      Translation(locale: "l\($0)", entity: .product, entityID: $0, name: "n\($0)")
    }
    return menu
  }()

  /// One product a name that is hard to search.
  static let oddNames: Menu = {
    let names =
      texts + [
        "Пицца", "ПИЦЦА", "Ёжик", "ёж\u{0}ик", "ежик", "йод", "иод", "a\u{0}B", "", "Ёлка\u{0}1",
        "\u{1B}0 елка", "e\u{301}clair", "ÉCLAIR",
      ]
    var menu = bare
    menu.categories = [Category(id: 1, name: "")]
    menu.products = names.indices.reversed().map {
      Product(id: $0, categoryID: 1, kind: .other, name: names[$0], details: "", variants: [])
    }
    return menu
  }()

  /// A menu whose names have marks on letters, composed and not.
  static let marks: Menu = {
    let names = [
      "Éclair", "e\u{301}clair au cafe\u{301}", "egg", "Crème brûlée", "ÜBER", "über", "zebra", "Ø",
      "ß", "Чаи\u{306}", "Чай", "чаи", "МЁД", "ме\u{308}д", "медь", "q\u{306}\u{301}", "и\u{301}",
      "Éх ты, ёж", "10 é", "9 e",
    ]
    var menu = Menu(shape: MenuShape(.small))
    for (index, name) in names.enumerated() { menu.products[index].name = name }
    return menu
  }()

  /// A menu whose first categories are empty, whose shelf's products are apart and not ordered by
  /// id, with more combos than a first screen shows.
  static let lateShelf: Menu = {
    var menu = Menu(shape: MenuShape(.small))
    let empty = (0..<3).map { Category(id: 900_000 - $0, name: "empty \($0)") }
    let shelf = Category(id: 900_001, name: "late")
    menu.categories = empty + [shelf] + menu.categories
    menu.products.reverse()
    for index in stride(from: 0, to: menu.products.count, by: 7) {
      menu.products[index].categoryID = shelf.id
    }
    menu.combos.reverse()
    return menu
  }()

  /// One product with few fields, whose bytes can be counted by hand, and a combo that embeds it.
  static var tea: Menu {
    let tea = Product(
      id: 5, categoryID: 3, kind: .drink, name: "Чай", details: "", tags: ["new"],
      variants: [Variant(id: 6, size: "0.5", weight: 250, price: 9_900, image: "")],
      ingredients: [ProductIngredient(ingredientID: 20, isRemovable: true)])
    let slot = Slot(
      id: 8, name: "new", min: 1, max: 1, options: [SlotOption(productID: 5, product: tea)])
    return Menu(
      id: 1, revision: 2, locale: "ru", currency: "RUB", city: "Уфа", products: [tea],
      combos: [Combo(id: 9, name: "Чай", details: "", price: 100, image: "", slots: [slot])])
  }

  /// Numbers at their ends, and lists of a slot's own that are empty.
  static let extremes = Menu(
    id: .max, revision: .min, locale: "en-US", currency: "USD", city: "Utqiaġvik",
    categories: [Category(id: .min, name: "first"), Category(id: .max, parentID: .min, name: "")],
    products: [
      Product(
        id: .max, categoryID: .min, otherCategoryIDs: [.max], kind: .sauce, name: "",
        details: "", hours: [ServingHours(days: .min, from: .max, until: .min)],
        variants: [
          Variant(
            id: .min, size: "", weight: .max, price: .min, image: "",
            nutrition: Nutrition(
              per100g: NutritionFacts(
                energy: -0.0, proteins: 0.0, fats: .leastNonzeroMagnitude,
                carbohydrates: .greatestFiniteMagnitude),
              whole: NutritionFacts(
                energy: 0.1 + 0.2, proteins: -1, fats: 9_007_199_254_740_992,
                carbohydrates: -.leastNormalMagnitude)))
        ])
    ],
    combos: [
      Combo(
        id: .min, name: "", details: "", price: .max, oldPrice: .min, image: "",
        slots: [
          Slot(id: -1, name: "", min: .min, max: .max, options: []),
          Slot(
            id: .min, name: "", min: 0, max: 0,
            options: [SlotOption(productID: .max, variantID: .min, surcharge: .min)]),
        ])
    ],
    stopList: [StopListEntry(entity: .combo, entityID: .min)],
    storeOverrides: [
      StoreOverride(storeID: .min, entity: .variant, entityID: .min, price: .min),
      StoreOverride(storeID: .max, entity: .product, entityID: .max, price: .max),
    ])

  /// A valid menu in which choices make an order cheaper: an own cup, a smaller size.
  static let discounts = Menu(
    id: 1, revision: 1, locale: "en", currency: "EUR", city: "",
    categories: [Category(id: 1, name: "Coffee")],
    ingredients: [Ingredient(id: 1, name: "Own cup")],
    modifierGroups: [
      ModifierGroup(
        id: 1, name: "Cup", min: 0, max: 1,
        options: [
          ModifierOption(
            ingredientID: 1,
            prices: [SizePrice(size: "small", price: -30), SizePrice(size: "large", price: 0)])
        ])
    ],
    products: [
      Product(
        id: 1, categoryID: 1, kind: .drink, name: "Latte", details: "",
        variants: [
          Variant(id: 1, size: "small", price: 350, image: ""),
          Variant(id: 2, size: "large", price: 450, image: ""),
        ], modifierGroupIDs: [1])
    ],
    optionLists: [OptionList(id: 1, options: [SlotOption(productID: 1, surcharge: -1)])],
    combos: [
      Combo(
        id: 1, name: "Breakfast", details: "", price: 700, image: "",
        slots: [
          Slot(
            id: 1, name: "Drink", min: 1, max: 1,
            options: [SlotOption(productID: 1, variantID: 1, surcharge: -100)]),
          Slot(id: 2, name: "Second drink", min: 0, max: 1, optionListID: 1),
        ])
    ])
}
