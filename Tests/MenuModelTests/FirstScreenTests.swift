import MenuModel
import MenuSources
import Testing

@Suite("A first screen")
struct FirstScreenTests {
  private let menu = Menu(shape: MenuShape(.small))

  private func checksum(_ screen: FirstScreen) -> Checksum {
    var checksum = Checksum()
    screen.visit(&checksum)
    return checksum
  }

  @Test("has every category, and cards for the products of the first one with any and six combos")
  func content() throws {
    var menu = menu
    menu.categories.insert(Category(id: -1, name: "empty"), at: 0)
    let screen = menu.firstScreen()
    let filled = menu.categories.map(\.id).filter { id in
      menu.products.contains { $0.stands(in: id) }
    }
    let shelf = try #require(filled.first)
    #expect(screen.categories == menu.categories)
    let shown = menu.products.filter { $0.stands(in: shelf) }
    #expect(screen.products == shown.map { FirstScreen.Card($0) })
    #expect(shown.contains { $0.categoryID != shelf })
    #expect(!shown.isEmpty && shown.count < menu.products.count)
    #expect(screen.combos == menu.combos.prefix(6).map { FirstScreen.Card($0) })
  }

  @Test("shows a product's lowest price and first picture, and nothing else of its variants")
  func card() {
    let facts = NutritionFacts(energy: 1, proteins: 2, fats: 3, carbohydrates: 4)
    var tea = Product(
      id: 5, categoryID: 3, kind: .drink, name: "Чай", details: "hot", tags: ["new"],
      variants: [
        Variant(
          id: 6, size: "0.5", price: 9_900, image: "a.webp",
          nutrition: Nutrition(per100g: facts, whole: facts)),
        Variant(id: 7, size: "0.3", price: 7_900, image: "b.webp"),
      ])
    let slot = Slot(id: 8, name: "Drink", min: 1, max: 1, options: [SlotOption(productID: 5)])
    let menu = Menu(
      id: 1, revision: 2, locale: "ru", currency: "RUB", city: "",
      categories: [Category(id: 3, name: "")], products: [tea],
      combos: [Combo(id: 9, name: "", details: "", price: nil, image: "", slots: [slot])])
    let screen = menu.firstScreen()
    let card = FirstScreen.Card(
      id: 5, name: "Чай", details: "hot", price: 7_900, image: "a.webp")
    #expect(screen.products == [card])
    // Numbers have 8 bytes, and optional values a mark of one: three counts, the category's id and
    // parent, the product's id, texts and price, and the combo's id, price and picture.
    #expect(checksum(screen).bytes == 3 * 8 + (8 + 1) + (8 + 6 + 3 + 1 + 8 + 1 + 6) + (8 + 1 + 1))
    tea.variants = []
    #expect(
      FirstScreen.Card(tea)
        == FirstScreen.Card(id: 5, name: "Чай", details: "hot", price: nil, image: nil))
  }

  @Test("has nothing for an empty menu")
  func bare() {
    let bare = Menu(id: 1, revision: 0, locale: "", currency: "", city: "")
    #expect(bare.firstScreen() == FirstScreen(categories: [], products: [], combos: []))
  }

  @Test("has another checksum if any level of it differs")
  func levels() {
    let screen = menu.firstScreen()
    var others = Array(repeating: screen, count: 4)
    others[0].categories[0].name += "!"
    others[1].products[0].price? += 1
    others[2].combos[5].name += "!"
    others[3].products.removeLast()
    #expect(Set(([screen] + others).map(checksum)).count == 5)
  }
}
