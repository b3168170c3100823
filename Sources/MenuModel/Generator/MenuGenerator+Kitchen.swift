/// The modifier groups of one kind of product: one from each family.
struct GroupFamilies {
  var ids: [[Int]] = []
}

extension MenuGenerator {
  /// Shelves, and the ids of those that the products of each kind stand on.
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

  /// 39 at the size of a real store, and as many more as the square root of the further products.
  mutating func addIngredients() {
    let names = NameSeries(
      heads: Words.ingredients, additions: Words.qualities, before: Word(" ", " "),
      between: Word(" ", " "))
    let count = 39 + (shape.products - 81).squareRoot
    menu.ingredients.reserveCapacity(count)
    for index in 0..<count {
      names.append(index, to: &text)
      let name = text.take()
      let ingredient = Ingredient(id: nextID(), name: name.russian)
      menu.ingredients.append(ingredient)
      translate(.ingredient, ingredient.id, name: name)
    }
  }

  /// Five groups at the size of a real store, five more for a menu four times as large.
  ///
  /// Returns, for each kind of product, the families that a product takes one group of each from.
  mutating func addModifierGroups() -> [GroupFamilies] {
    let rounds = 1 + ((shape.products - 81) / 81).squareRoot
    return ProductStyle.all.map { style, _ in
      var deck = ingredients(of: style)
      return GroupFamilies(
        ids: Self.groupPlans(of: style.kind).map { plan in
          (0..<rounds).map { _ in addGroup(plan, sizes: style.sizes, from: &deck) }
        })
    }
  }

  /// The savoury ingredients or the sweet ones, by their positions.
  func ingredients(of style: ProductStyle) -> Deck {
    Deck(
      menu.ingredients.indices.filter {
        ($0 % Words.ingredients.count >= Words.savouryIngredients) == style.isSweet
      })
  }

  private struct GroupPlan {
    let name: Word
    let options: Int
    let min: Int
    let max: Int
    let free: Int
  }

  private static func groupPlans(of kind: Product.Kind) -> [GroupPlan] {
    switch kind {
    case .pizza:
      [
        GroupPlan(
          name: Word("Добавить по вкусу", "Extra Toppings"), options: 20, min: 0, max: 10, free: 0),
        GroupPlan(name: Word("Бортик", "Crust"), options: 4, min: 1, max: 1, free: 1),
      ]
    case .snack:
      [GroupPlan(name: Word("Соус", "Sauce"), options: 7, min: 1, max: 3, free: 1)]
    case .drink:
      [GroupPlan(name: Word("Добавка", "Addition"), options: 5, min: 0, max: 2, free: 0)]
    default:
      [GroupPlan(name: Word("Топпинг", "Topping"), options: 6, min: 0, max: 2, free: 0)]
    }
  }

  private mutating func addGroup(_ plan: GroupPlan, sizes: [String], from deck: inout Deck) -> Int {
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
