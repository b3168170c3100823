import MenuModel
import Testing

struct ProductValidationTests {
  static let breakages = [
    Breakage(
      "categories[1]: category 1 is already at categories[0]",
      "products[0]: category 2 does not exist"
    ) {
      $0.categories[1] = Category(id: 1, name: "")
    },
    Breakage("categories[1]: category 7 does not exist") { $0.categories[1].parentID = 7 },
    Breakage("categories[0]: category 1 is inside itself") { $0.categories[0].parentID = 1 },
    Breakage("categories[0]: category 1 is inside itself") { $0.categories[0].parentID = 2 },
    Breakage("ingredients[2]: ingredient 1 is already at ingredients[0]") {
      $0.ingredients.append(Ingredient(id: 1, name: ""))
    },
    Breakage("modifierGroups[2]: modifier group 2 is already at modifierGroups[1]") {
      $0.modifierGroups.append($0.modifierGroups[1])
    },
    Breakage("modifierGroups[1]: min 2 is above max 1") { $0.modifierGroups[1].min = 2 },
    Breakage("modifierGroups[0]: min -1 is below zero") { $0.modifierGroups[0].min = -1 },
    Breakage("modifierGroups[0]: max -1 is below zero", "modifierGroups[0]: min 0 is above max -1")
    {
      $0.modifierGroups[0].max = -1
    },
    Breakage("modifierGroups[0]: free -1 is below zero") { $0.modifierGroups[0].free = -1 },
    Breakage("modifierGroups[1].options[0]: ingredient 9 does not exist") {
      $0.modifierGroups[1].options[0].ingredientID = 9
    },
    Breakage("modifierGroups[1].options[0].prices[1]: size '30 cm' occurs twice") {
      $0.modifierGroups[1].options[0].prices[1].size = "30 cm"
    },
    Breakage("products[2]: product 2 is already at products[1]") {
      var product = $0.products[1]
      product.variants[0].id = 22
      $0.products.append(product)
    },
    Breakage("products[1]: category 9 does not exist") {
      $0.products[1].categoryID = 9
      $0.combos[0].slots[1].options?[0].product = nil
    },
    Breakage("products[1]: it has no variants") {
      $0.products[1].variants = []
      $0.combos[0].slots[1].options?[0].product = nil
    },
    Breakage("products[0].tags[1]: tag 'new' occurs twice") { $0.products[0].tags[1] = "new" },
    Breakage("products[0].tags[9]: tag 'hit' occurs twice") {
      $0.products[0].tags = ["hit", "1", "2", "3", "4", "5", "6", "7", "8", "hit"]
    },
    Breakage("products[0].ingredients[1]: ingredient 5 does not exist") {
      $0.products[0].ingredients[1].ingredientID = 5
    },
    Breakage("products[0].ingredients[1]: ingredient 1 occurs twice") {
      $0.products[0].ingredients[1].ingredientID = 1
    },
    Breakage("products[0].modifierGroupIDs[0]: modifier group 3 does not exist") {
      $0.products[0].modifierGroupIDs[0] = 3
    },
    Breakage("products[0].modifierGroupIDs[1]: modifier group 1 occurs twice") {
      $0.products[0].modifierGroupIDs[1] = 1
    },
    Breakage("products[1].variants[0]: variant 11 is already at products[0].variants[0]") {
      $0.products[1].variants[0].id = 11
      $0.combos[0].slots[1].options?[0].product = nil
    },
    Breakage("products[0].variants[1]: price -1 is below zero") {
      $0.products[0].variants[1].price = -1
    },
    Breakage("products[0].variants[1]: weight -5 is below zero") {
      $0.products[0].variants[1].weight = -5
    },
    Breakage("products[0].variants[0].priceTiers[0]: price -400 is below zero") {
      $0.products[0].variants[0].priceTiers[0].price = -400
    },
    Breakage("products[0].variants[0].nutrition.whole: fats inf is negative or not finite") {
      $0.products[0].variants[0].nutrition?.whole.fats = .infinity
    },
    Breakage("products[0].variants[0].nutrition.per100g: energy nan is negative or not finite") {
      $0.products[0].variants[0].nutrition?.per100g.energy = .nan
    },
    Breakage("products[0].variants[0].nutrition.per100g: proteins -inf is negative or not finite") {
      $0.products[0].variants[0].nutrition?.per100g.proteins = -.infinity
    },
    Breakage("products[0].variants[0].nutrition.whole: energy -1.0 is negative or not finite") {
      $0.products[0].variants[0].nutrition?.whole.energy = -1
    },
    Breakage(
      "products[0].variants[0].nutrition.whole: carbohydrates nan is negative or not finite"
    ) {
      $0.products[0].variants[0].nutrition?.whole.carbohydrates = .nan
    },
  ]

  @Test("A broken product, category, ingredient or group is named", arguments: breakages)
  func broken(breakage: Breakage) {
    breakage.check()
  }
}
