import MenuModel
import Testing

@Suite("A menu in the shape of the Domino's ordering API")
struct DominosImporterTests {
  let imported: ImportedMenu
  var menu: Menu { imported.menu }

  init() throws {
    imported = try DominosFixture.imported()
  }

  @Test("the store gives the menu's id and language")
  func store() {
    #expect(imported.format == "dominos")
    #expect((menu.id, menu.locale, menu.currency, menu.city) == (77, "fr", "USD", ""))
  }

  @Test("the tree of food becomes categories, parents first, empty ones too")
  func categories() {
    #expect(
      menu.categories == [
        Category(id: 1, name: "All food"),
        Category(id: 2, parentID: 1, name: "Round things"),
        Category(id: 3, parentID: 2, name: "Hollow"),
        Category(id: 4, parentID: 2, name: "More"),
        Category(id: 5, name: "Uncategorized"),
      ])
  }

  @Test("toppings and sides become ingredients by family and code")
  func ingredients() {
    #expect(
      menu.ingredients == [
        Ingredient(id: 1, code: "S", name: "Sausage"),
        Ingredient(id: 2, code: "T", name: "Tomato"),
        Ingredient(id: 3, code: "U", name: "Unagi"),
        Ingredient(id: 4, code: "D", name: "Dip"),
      ])
  }

  @Test("what may be added becomes modifier groups without prices, and without a limit but its own")
  func modifierGroups() {
    #expect(
      menu.modifierGroups == [
        ModifierGroup(
          id: 1, name: "Pizza toppings", min: 0, max: 3,
          options: [2, 1, 3].map { ModifierOption(ingredientID: $0) }),
        ModifierGroup(
          id: 2, name: "Pizza toppings", min: 0, max: 2,
          options: [2, 1].map { ModifierOption(ingredientID: $0) }),
        ModifierGroup(
          id: 3, name: "Wings sides", min: 0, max: 1, options: [ModifierOption(ingredientID: 4)]),
      ])
  }

  @Test("products stand in the order of the tree, then by code, each once")
  func products() {
    #expect(menu.products.map(\.code) == ["P_TWO", "P_ONE", "P_WING", "P_ODD"])
    #expect(menu.products.map(\.id) == [1, 2, 3, 4])
    #expect(menu.products.map(\.categoryID) == [2, 2, 4, 5])
    #expect(menu.products.map(\.otherCategoryIDs) == [[], [4], [], []])
    #expect(menu.products.map(\.kind) == [.pizza, .pizza, .snack, .other])
    #expect(menu.products.map(\.details) == ["", "The first", "", ""])
    #expect(menu.products.map(\.modifierGroupIDs) == [[1], [2], [3], []])
  }

  @Test("defaults become ingredients, removable where none of it is a choice")
  func content() {
    #expect(
      menu.products.map(\.ingredients) == [
        [],
        [
          ProductIngredient(ingredientID: 2, isRemovable: true),
          ProductIngredient(ingredientID: 1, isRemovable: false),
          ProductIngredient(ingredientID: 3, isRemovable: false),
        ],
        [ProductIngredient(ingredientID: 4, isRemovable: true)],
        [],
      ])
  }

  @Test("variants have exact prices, sorted tiers, and the names of their size and flavor")
  func variants() {
    #expect(
      menu.products.map(\.variants) == [
        [
          Variant(id: 1, code: "V2", size: "Two", price: 0, image: ""),
          Variant(
            id: 2, code: "V1S", size: "Small", dough: "Thin crust", price: 699,
            priceTiers: [PriceTier(name: "A", price: 699), PriceTier(name: "B", price: 750)],
            image: "one.jpg"),
        ],
        [Variant(id: 3, code: "V1L", size: "99", dough: "X", price: 1000, image: "")],
        [Variant(id: 4, code: "VW", size: "Wing box", price: 5, image: "")],
        [Variant(id: 5, code: "VH", size: "Hat", price: 300, image: "")],
      ])
  }

  @Test("coupons and preconfigured products become combos, in this order, each by code")
  func combos() {
    let option = SlotOption(productID: 2, variantID: 3)
    let slot = Slot(id: 1, name: "One", min: 1, max: 1, options: [option], defaultProductID: 2)
    #expect(
      menu.combos == [
        Combo(id: 1, code: "10", name: "Feast", details: "Much", price: 1999, image: "", slots: []),
        Combo(id: 2, code: "20", name: "Cheap", details: "", price: nil, image: "c20", slots: []),
        Combo(
          id: 3, code: "F1", name: "Small one", details: "Ready", price: nil, image: "",
          slots: [slot]),
        Combo(id: 4, code: "F2", name: "Ghost", details: "", price: nil, image: "", slots: []),
      ])
  }
}
