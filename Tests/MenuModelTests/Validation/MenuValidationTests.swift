import MenuModel
import Testing

struct MenuValidationTests {
  @Test("A valid menu has no problems")
  func valid() throws {
    #expect(Menu.valid.problems() == [])
    try Menu.valid.validate()
  }

  @Test("A menu with nothing in it is valid")
  func empty() throws {
    try Menu(id: 1, revision: 1, locale: "ru-RU", currency: "RUB", city: "").validate()
  }

  @Test("A surcharge and a modifier's price may be below zero: an own cup, a smaller size")
  func cheaper() throws {
    var menu = Menu.valid
    menu.optionLists[0].options[0].surcharge = -100
    menu.combos[0].slots[1].options?[1].surcharge = .min
    menu.modifierGroups[1].options[0].prices[0].price = -30
    menu.modifierGroups[1].options[0].prices[1].price = .min
    try menu.validate()
  }

  @Test("An invalid menu is refused with its problems, one on each line")
  func refused() {
    var menu = Menu.valid
    menu.combos[0].slots[1].options?[1].productID = 912
    menu.combos[1].price = -1
    let error = #expect(throws: InvalidMenu.self) { try menu.validate() }
    #expect(
      error?.description == """
        combos[0].slots[1].options[1]: product 912 does not exist
        combos[1]: price -1 is below zero
        """)
  }

  @Test(
    "The list of problems ends at the limit",
    arguments: [(-1, 0), (0, 0), (1, 1), (20, 20), (500, 100)])
  func limit(limit: Int, found: Int) {
    var menu = Menu.valid
    menu.stopList = (0..<100).map { StopListEntry(entity: .product, entityID: 1_000 + $0) }
    #expect(menu.problems(limit: limit).count == found)
  }

  @Test("A chain of 100,000 categories is walked without recursion")
  func chain() {
    var menu = Menu.valid
    menu.categories = (1...100_000).map {
      Category(id: $0, parentID: $0 > 1 ? $0 - 1 : nil, name: "")
    }
    #expect(menu.problems() == [])
    menu.categories[0].parentID = 100_000
    #expect(menu.problems().map(\.description) == ["categories[0]: category 1 is inside itself"])
  }

  @Test("Extreme numbers are problems, never traps")
  func extremes() {
    var menu = Menu.valid
    menu.modifierGroups[0].min = .max
    menu.modifierGroups[0].max = .min
    menu.products[0].variants[0].price = .min
    menu.combos[0].slots[0].defaultProductID = .min
    #expect(
      menu.problems().map(\.description) == [
        "modifierGroups[0]: max -9223372036854775808 is below zero",
        "modifierGroups[0]: min 9223372036854775807 is above max -9223372036854775808",
        "products[0].variants[0]: price -9223372036854775808 is below zero",
        "combos[0].slots[0]: default product -9223372036854775808 is not among its options",
      ])
  }
}
