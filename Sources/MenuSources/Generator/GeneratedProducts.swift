import Basics
import MenuModel

extension MenuGenerator {
  /// Adds products in the order of kinds. At the size of a real store the mix is that of the store.
  mutating func addProducts(on shelves: [[Int]], groups: [GroupFamilies]) {
    menu.products.reserveCapacity(shape.products)
    for (kind, range) in shape.productRanges.enumerated() {
      let style = ProductStyle.all[kind].style
      var ingredients = ingredients(of: style)
      for index in 0..<range.count {
        addProduct(index, style, on: shelves[kind], groups: groups[kind], from: &ingredients)
      }
    }
  }

  private mutating func addProduct(
    _ index: Int, _ style: ProductStyle, on shelves: [Int], groups: GroupFamilies,
    from deck: inout ShuffledDeck
  ) {
    let ingredients = deck.draw(random.within(style.ingredients), using: &random)
    style.names.append(index, to: &text)
    let name = text.take()
    appendIngredients(ingredients)
    appendPhrases(style.phrases)
    let details = text.take()
    let product = Product(
      id: nextID(), categoryID: pick(shelves), kind: style.kind, name: name.russian,
      details: details.russian, tags: tags(), availability: availability(),
      hours: hours(style), allergens: allergens(style), variants: variants(index, style),
      ingredients: ingredients.map {
        ProductIngredient(ingredientID: menu.ingredients[$0].id, isRemovable: !random.once(in: 3))
      },
      modifierGroupIDs: groups.map { pick($0) })
    menu.products.append(product)
    showElsewhere(menu.products.count - 1, shelves)
    translate(.product, product.id, name: name, details: details)
  }

  private mutating func appendIngredients(_ ingredients: ArraySlice<Int>) {
    text.append("Состав: ", "Made of ")
    for (place, ingredient) in ingredients.prefix(4).enumerated() {
      if place > 0 { text.append(", ", ", ") }
      NameSeries.ingredients.append(ingredient, to: &text)
    }
    text.append(".", ".")
  }

  /// Returns up to two labels that apps filter by.
  private mutating func tags() -> [String] {
    let tags = ["new", "spicy", "hit", "vegetarian", "kids", "meat"]
    let first = random.below(tags.count)
    return switch random.below(4) {
    case 0: [tags[first], tags[(first + 2) % tags.count]]
    case 1: [tags[first]]
    default: []
    }
  }

  /// Adds a second category of the same kind to one product in five.
  private mutating func showElsewhere(_ index: Int, _ shelves: [Int]) {
    guard shelves.count > 1, random.once(in: 5) else { return }
    let others = shelves.filter { $0 != menu.products[index].categoryID }
    menu.products[index].otherCategoryIDs = [pick(others)]
  }

  /// Limits one product in twelve to some hours: breakfast, workday lunch, or evenings until two.
  private mutating func hours(_ style: ProductStyle) -> [ServingHours] {
    switch random.below(36) {
    case 0: [ServingHours(from: 420, until: 660)]
    case 1: [ServingHours(days: 31, from: 660, until: 960)]
    case 2:
      [
        ServingHours(days: 31, from: 1_080, until: 120),
        ServingHours(days: 96, from: 840, until: 120),
      ]
    default: []
    }
  }

  /// Returns the usual allergens of a kind, for one product in three with an additional one.
  private mutating func allergens(_ style: ProductStyle) -> [Allergen] {
    let further = Allergen.allCases.filter { !style.allergens.contains($0) }
    return random.once(in: 3) ? style.allergens + [pick(further)] : style.allergens
  }

  private mutating func availability() -> Product.Availability {
    switch random.below(40) {
    case 0: .hidden
    case 1, 2: .comboOnly
    default: .available
    }
  }
}

extension MenuShape {
  /// The positions of the products of each kind, in the order of ``ProductStyle/all``.
  var productRanges: [Range<Int>] {
    let total = ProductStyle.all.reduce(0) { $0 + $1.share }
    var before = 0
    return ProductStyle.all.map { _, share in
      let start = (products * before + total - 1) / total
      before += share
      return start..<(products * before + total - 1) / total
    }
  }
}

extension MenuGenerator {
  /// Returns a product's variants. A real store's 25 pizzas had 73 sizes: two lacked the largest.
  mutating func variants(_ index: Int, _ style: ProductStyle) -> [Variant] {
    let sizes = style.sizes.count > 1 && index % 12 == 11 ? 2 : style.sizes.count
    let grams = random.within(style.grams)
    let price = random.within(style.price) * 100
    let hasTiers = style.kind == .pizza && random.once(in: 3)
    // The store's 129 variants had 121 nutrition records: 8 of its 22 drinks had none.
    let isKnown = style.kind != .drink || index % 11 >= 4
    let tenths = [style.energy, 5...160, 5...180, 30...400].map { random.within($0) }
    return (0..<sizes).map { size in
      let amount = grams * (2 + size) / 2
      let price = price + 15_000 * size
      return Variant(
        id: nextID(), size: style.sizes[size], dough: dough(style, size),
        weight: style.kind == .drink ? nil : amount, price: price,
        priceTiers: hasTiers ? tiers(price) : [], image: image(),
        nutrition: isKnown ? Self.nutrition(tenths, of: amount) : nil)
    }
  }

  /// Returns the dough of a size. The smallest pizza has only one dough.
  private mutating func dough(_ style: ProductStyle, _ size: Int) -> String? {
    size == 0 || style.dough.isEmpty ? style.dough.first : pick(style.dough)
  }

  private func tiers(_ price: Int) -> [PriceTier] {
    [
      PriceTier(name: "pickup", price: price - 3_000, orderType: .pickup),
      PriceTier(name: "delivery", price: price + 2_000, orderType: .delivery),
    ]
  }

  /// Computes nutrition from tenths per 100 g, so that rounding does not depend on floating point.
  private static func nutrition(_ tenths: [Int], of grams: Int) -> Nutrition {
    func facts(_ grams: Int) -> NutritionFacts {
      // The nearest double to a decimal (IEEE 754), which is the same on all platforms.
      let shares = tenths.map { Double($0 * grams / 100) / 10 }
      return NutritionFacts(
        energy: shares[0], proteins: shares[1], fats: shares[2], carbohydrates: shares[3])
    }
    return Nutrition(per100g: facts(100), whole: facts(grams))
  }
}

/// The ids of the modifier groups of one kind of product, which has one from each family.
typealias GroupFamilies = [[Int]]

extension MenuGenerator {
  /// Adds the categories. Returns the ids of those for the products of each kind.
  mutating func addCategories() -> [[Int]] {
    ProductStyle.all.map { style, _ in
      let top = addCategory(style.shelf, in: nil)
      return style.shelves.map { addCategory($0, in: top) }
    }
  }

  private mutating func addCategory(_ name: Word, in parent: Int?) -> Int {
    let category = Category(id: nextID(), parentID: parent, name: name.russian)
    menu.categories.append(category)
    translate(.category, category.id, name: name)
    return category.id
  }

  /// Adds 39 ingredients for the first 81 products, plus the square root of further products.
  mutating func addIngredients() {
    let count = 39 + (shape.products - 81).squareRoot
    menu.ingredients.reserveCapacity(count)
    for index in 0..<count {
      NameSeries.ingredients.append(index, to: &text)
      let name = text.take()
      let ingredient = Ingredient(id: nextID(), name: name.russian)
      menu.ingredients.append(ingredient)
      translate(.ingredient, ingredient.id, name: name)
    }
  }

  /// Adds five groups at a real store's size, ten from twice that size, fifteen from five times.
  ///
  /// Returns the families of groups for each kind. A product takes one group of each family.
  mutating func addModifierGroups() -> [GroupFamilies] {
    let rounds = 1 + ((shape.products - 81) / 81).squareRoot
    return ProductStyle.all.map { style, _ in
      var deck = ingredients(of: style)
      return style.groups.map { plan in
        (0..<rounds).map { _ in addGroup(plan, sizes: style.sizes, from: &deck) }
      }
    }
  }

  /// Makes one option in ten lead to a later group of its menu, such as a crust to its filling.
  /// Only later groups are used, so that there are no cycles.
  mutating func nestModifierGroups() {
    for index in menu.modifierGroups.indices.dropLast() {
      for option in menu.modifierGroups[index].options.indices where random.once(in: 10) {
        let later = menu.modifierGroups[(index + 1)...]
        menu.modifierGroups[index].options[option].modifierGroupIDs = [
          later[later.startIndex + random.below(later.count)].id
        ]
      }
    }
  }

  /// Returns the positions of the savoury or the sweet ingredients.
  func ingredients(of style: ProductStyle) -> ShuffledDeck {
    ShuffledDeck(
      menu.ingredients.indices.filter {
        ($0 % Words.ingredients.count >= Words.savouryIngredients) == style.isSweet
      })
  }

  private mutating func addGroup(_ plan: GroupPlan, sizes: [String], from deck: inout ShuffledDeck)
    -> Int
  {
    let options = deck.draw(plan.options, using: &random).map { ingredient in
      let price = random.within(3...9) * 1_000 - 100
      return ModifierOption(
        ingredientID: menu.ingredients[ingredient].id,
        prices: sizes.indices.map {
          SizePrice(size: sizes[$0], price: price + 2_000 * $0)
        })
    }
    let group = ModifierGroup(
      id: nextID(), name: plan.name.russian, min: plan.min, max: plan.max, free: plan.free,
      isRequired: plan.min > 0, options: options)
    menu.modifierGroups.append(group)
    translate(.modifierGroup, group.id, name: plan.name)
    return group.id
  }
}

/// The common properties of the generated products of one kind.
struct ProductStyle: Sendable {
  let kind: Product.Kind
  let shelf: Word
  let shelves: [Word]
  let heads: [Word]
  let additions: [Word]
  let phrases: [Word]
  let sizes: [String]
  let dough: [String]
  /// The number of ingredients of a product.
  let ingredients: ClosedRange<Int>
  /// The weight of the first size in grams. For a drink, which has no weight, millilitres.
  let grams: ClosedRange<Int>
  /// The price of the first size in whole roubles.
  let price: ClosedRange<Int>
  /// The energy in tenths of a kilocalorie per 100 g.
  let energy: ClosedRange<Int>
  let allergens: [Allergen]
  let groups: [GroupPlan]

  var isSweet: Bool { kind == .drink || kind == .dessert }

  var names: NameSeries { NameSeries(heads: heads, additions: additions) }

  /// The styles in the order of a menu, with the number of each among a real store's 81 products.
  static let all: [(style: ProductStyle, share: Int)] = [
    (pizza, 25), (snack, 16), (drink, 22), (dessert, 18),
  ]

  static let pizza = ProductStyle(
    kind: .pizza, shelf: Word("Пиццы", "Pizzas"),
    shelves: [
      Word("Мясные", "With Meat"), Word("Сырные", "With Cheese"), Word("Острые", "Spicy"),
      Word("Без мяса", "Meatless"),
    ],
    heads: Words.pizzas, additions: Words.savoury, phrases: Words.servings,
    sizes: ["25 см", "30 см", "35 см"], dough: ["традиционное", "тонкое"], ingredients: 4...8,
    grams: 360...480, price: 289...599, energy: 2_100...3_100, allergens: [.gluten, .milk],
    groups: [
      GroupPlan(name: Word("Добавить по вкусу", "Extra Toppings"), options: 20, max: 10),
      GroupPlan(name: Word("Бортик", "Crust"), options: 4, min: 1, max: 1, free: 1),
    ])

  static let snack = ProductStyle(
    kind: .snack, shelf: Word("Закуски", "Snacks"),
    shelves: [Word("Горячие закуски", "Hot Snacks"), Word("Салаты", "Salads")],
    heads: Words.snacks, additions: Words.savoury, phrases: Words.servings,
    sizes: ["1 порция"], dough: [], ingredients: 2...5, grams: 100...300, price: 129...349,
    energy: 1_200...2_900, allergens: [.gluten],
    groups: [GroupPlan(name: Word("Соус", "Sauce"), options: 7, min: 1, max: 3, free: 1)])

  static let drink = ProductStyle(
    kind: .drink, shelf: Word("Напитки", "Drinks"),
    shelves: [
      Word("Кофе и чай", "Coffee and Tea"), Word("Холодные напитки", "Cold Drinks"),
    ],
    heads: Words.drinks, additions: Words.sweet, phrases: Words.treats, sizes: ["0,5 л"],
    dough: [], ingredients: 1...3, grams: 500...500, price: 79...269, energy: 50...900,
    allergens: [], groups: [GroupPlan(name: Word("Добавка", "Addition"), options: 5, max: 2)])

  static let dessert = ProductStyle(
    kind: .dessert, shelf: Word("Десерты", "Desserts"),
    shelves: [Word("Выпечка", "Pastry"), Word("К кофе", "With Coffee")],
    heads: Words.desserts, additions: Words.sweet, phrases: Words.treats, sizes: ["1 шт"],
    dough: [], ingredients: 2...4, grams: 70...220, price: 99...299, energy: 2_400...4_300,
    allergens: [.gluten, .eggs, .milk],
    groups: [GroupPlan(name: Word("Топпинг", "Topping"), options: 6, max: 2)])
}

/// A modifier group of which every product of a kind has one.
struct GroupPlan: Sendable {
  let name: Word
  let options: Int
  var min = 0
  let max: Int
  var free = 0
}
