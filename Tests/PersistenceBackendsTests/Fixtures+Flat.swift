import MenuModel

extension Fixtures {
  /// The menu of FORMAT.md's worked example.
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

  /// Ids that repeat, things that do not exist, copies that differ from what they copy, a slot with
  /// a list and options.
  static var contradictory: Menu {
    var menu = embedding(full)
    var changed = menu.products[0]
    changed.name = "Э\u{306}"
    changed.variants[1].price = 1
    var twin = menu.products[2]
    twin.id = menu.products[0].id
    menu.products.append(twin)
    menu.products.append(twin)
    menu.optionLists.append(OptionList(id: 8, options: [SlotOption(productID: 4_711)]))
    menu.optionLists[0].options.append(SlotOption(productID: 300, product: changed))
    menu.optionLists[0].options.append(SlotOption(productID: 4_711, product: changed))
    menu.combos[0].slots[0].options = [
      SlotOption(productID: 300, product: changed), SlotOption(productID: 4_711, product: twin),
      SlotOption(productID: 300, product: menu.products[0]), SlotOption(productID: 5),
    ]
    menu.combos[2].slots[2].optionListID = 4_712
    var again = menu.combos[1]
    again.id = menu.combos[0].id
    menu.combos.append(again)
    return menu
  }

  /// A menu whose every number, text and length is drawn: ids repeat and mostly lead nowhere.
  static func random(_ seed: UInt64) -> Menu {
    var random = Draw(seed)
    return random.menu()
  }
}
