/// What the generated products of one kind have in common.
struct ProductStyle: Sendable {
  let kind: Product.Kind
  let shelf: Word
  let shelves: [Word]
  let heads: [Word]
  let additions: [Word]
  let phrases: [Word]
  let sizes: [String]
  let dough: [String]
  /// How many ingredients a product has.
  let ingredients: ClosedRange<Int>
  /// Grams of the first size; a drink has no weight and counts as so many millilitres.
  let grams: ClosedRange<Int>
  /// Whole roubles of the first size.
  let price: ClosedRange<Int>
  /// Tenths of a kilocalorie in 100 g.
  let energy: ClosedRange<Int>

  var isSweet: Bool { kind == .drink || kind == .dessert }

  var names: NameSeries { NameSeries(heads: heads, additions: additions) }

  /// In the order of a menu, with the number of each among a real store's 81 products.
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
    grams: 360...480, price: 289...599, energy: 2_100...3_100)

  static let snack = ProductStyle(
    kind: .snack, shelf: Word("Закуски", "Snacks"),
    shelves: [Word("Горячие закуски", "Hot Snacks"), Word("Салаты", "Salads")],
    heads: Words.snacks, additions: Words.savoury, phrases: Words.servings,
    sizes: ["1 порция"], dough: [], ingredients: 2...5, grams: 100...300, price: 129...349,
    energy: 1_200...2_900)

  static let drink = ProductStyle(
    kind: .drink, shelf: Word("Напитки", "Drinks"),
    shelves: [
      Word("Кофе и чай", "Coffee and Tea"), Word("Холодные напитки", "Cold Drinks"),
    ],
    heads: Words.drinks, additions: Words.sweet, phrases: Words.treats, sizes: ["0,5 л"],
    dough: [], ingredients: 1...3, grams: 500...500, price: 79...269, energy: 50...900)

  static let dessert = ProductStyle(
    kind: .dessert, shelf: Word("Десерты", "Desserts"),
    shelves: [Word("Выпечка", "Pastry"), Word("К кофе", "With Coffee")],
    heads: Words.desserts, additions: Words.sweet, phrases: Words.treats, sizes: ["1 шт"],
    dough: [], ingredients: 2...4, grams: 70...220, price: 99...299, energy: 2_400...4_300)
}
