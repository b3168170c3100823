import MenuModel
import MenuSources
import Testing

/// The small menu has the figures of a real store.
struct GeneratedFiguresTests {
  let menu = Menu(shape: MenuShape(.small))

  @Test("25 pizzas in 73 sizes, 16 snacks, 22 drinks, 18 desserts")
  func mix() {
    let pizzas = menu.products.filter { $0.kind == .pizza }
    #expect(pizzas.count == 25)
    #expect(pizzas.reduce(0) { $0 + $1.variants.count } == 73)
    #expect(menu.products.count { $0.kind == .snack } == 16)
    #expect(menu.products.count { $0.kind == .drink } == 22)
    #expect(menu.products.count { $0.kind == .dessert } == 18)
  }

  @Test("39 ingredients, 20 toppings for a pizza, nutrition for 121 of 129 variants")
  func kitchen() {
    let variants = menu.products.flatMap(\.variants)
    #expect(menu.ingredients.count == 39)
    #expect(menu.modifierGroups[0].options.count == 20)
    #expect(menu.modifierGroups[0].options[0].prices.map(\.size) == ["25 см", "30 см", "35 см"])
    #expect(variants.count == 129)
    #expect(variants.count { $0.nutrition != nil } == 121)
    #expect(variants.contains { !$0.priceTiers.isEmpty })
  }

  @Test("Slots show 22 options or 2 to 5, two to seven slots a combo, 29 products in all")
  func combos() {
    let lists = menu.combos.flatMap(\.slots).map { menu.options(of: $0) }
    let lengths = lists.map(\.count)
    #expect(lengths.count { $0 == 22 } == 24)
    #expect(lengths.count { (2...5).contains($0) } == 7)
    #expect(Set(lists.joined().map(\.productID)).count == 29)
    #expect(menu.combos.allSatisfy { (2...7).contains($0.slots.count) })
    #expect(menu.combos.contains { $0.oldPrice != nil })
    #expect(lists.joined().contains { $0.surcharge > 0 })
  }

  @Test(
    "Names have 5 to 40 letters, descriptions 127 on average", arguments: MenuShape.Preset.allCases)
  func widths(preset: MenuShape.Preset) {
    let products = Menu(shape: MenuShape(preset)).products
    #expect(products.allSatisfy { (5...40).contains($0.name.count) })
    #expect(Set(products.map(\.name)).count == products.count)
    let letters = products.reduce(0) { $0 + $1.details.count }
    #expect((124...130).contains(letters / products.count))
  }

  @Test("Texts are Cyrillic, translations Latin, one for every name and description")
  func languages() {
    #expect(menu.locale == "ru-RU")
    #expect(menu.products[0].name == "Пепперони")
    #expect(Array(menu.products[0].name.utf8.prefix(4)) == [0xd0, 0x9f, 0xd0, 0xb5])
    let translation = menu.translations.first { $0.entityID == menu.products[0].id }
    #expect(translation?.name == "Pepperoni")
    #expect(translation?.locale == "en-US")
    let slots = menu.combos.flatMap(\.slots)
    let named =
      menu.categories.count + menu.ingredients.count + menu.modifierGroups.count
      + menu.products.count + menu.combos.count + slots.count
    #expect(menu.translations.count == named)
    let cyrillic: ClosedRange<Unicode.Scalar> = "\u{400}"..."\u{4ff}"
    for translation in menu.translations {
      let text = translation.name + (translation.details ?? "")
      #expect(!text.unicodeScalars.contains { cyrillic.contains($0) })
    }
    for product in menu.products {
      #expect(product.details.unicodeScalars.contains { cyrillic.contains($0) })
    }
  }
}
