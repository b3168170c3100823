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

  @Test("has every category, the products of the first one with products, and six resolved combos")
  func content() throws {
    var menu = menu
    menu.categories.insert(Category(id: -1, name: "empty"), at: 0)
    let screen = menu.firstScreen()
    let filled = menu.categories.map(\.id).filter { id in
      menu.products.contains { $0.stands(in: id) }
    }
    let shelf = try #require(filled.first)
    #expect(screen.categories == menu.categories)
    #expect(screen.products == menu.products.filter { $0.stands(in: shelf) })
    #expect(screen.products.contains { $0.categoryID != shelf })
    #expect(!screen.products.isEmpty && screen.products.count < menu.products.count)
    #expect(screen.combos.map(\.combo) == Array(menu.combos.prefix(6)))
    for combo in screen.combos { #expect(combo == menu.resolvedCombo(combo.combo.id)) }
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
    others[1].products[0].variants[0].price += 1
    others[2].combos[5].products[0].name += "!"
    others[3].products.removeLast()
    #expect(Set(([screen] + others).map(checksum)).count == 5)
  }
}
