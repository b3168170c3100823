import MenuModel
import Testing

@Suite(
  "A real Domino's store",
  .enabled(
    if: SharedDatasets.has("dominos-menu.json"),
    "dominos-menu.json is not there; name its folder in MENUBENCH_SHARED_DATASETS"))
struct SharedDominosTests {
  let imported: ImportedMenu
  var menu: Menu { imported.menu }

  init() throws {
    imported = try MenuFile.load(path: SharedDatasets.path("dominos-menu.json"))
  }

  @Test("all that can be ordered is there")
  func counts() {
    #expect(imported.format == "dominos")
    #expect((menu.id, menu.locale, menu.currency) == (4336, "en", "USD"))
    #expect(menu.products.count == 68)
    #expect(menu.products.flatMap(\.variants).count == 209)
    #expect(menu.combos.count == 47)
    let slots = menu.combos.map(\.slots.count)
    #expect(slots == Array(repeating: 0, count: 17) + Array(repeating: 1, count: 30))
    #expect(menu.ingredients.count == 90 + 14)
    #expect(menu.modifierGroups.count == 25)
    #expect(menu.categories.count == 17)
  }

  @Test("every variant has its ten price tiers, one of them the price")
  func tiers() {
    for variant in menu.products.flatMap(\.variants) {
      #expect(variant.priceTiers.count == 10)
      #expect(variant.priceTiers.contains { $0.price == variant.price })
    }
    let prices = menu.products.flatMap(\.variants).map(\.price)
    #expect(prices.min() == 0)
    #expect(prices.max() == 3199)
  }

  @Test("what has no place is counted, kind by kind")
  func notes() {
    for note in [
      "9 cooking instructions have no place in the menu model",
      "2 coupon tiers have no place in the menu model",
      "17 short product descriptions have no place in the menu model",
      "23 unsupported options have no place in the menu model",
      "10 unsupported products have no place in the menu model",
      "209 variants have a field Tags that has no place in the menu model",
      "92 choices of toppings or sides list quantities, which have no place in the menu model",
      "1 coupon has no price: 9193",
      "1 size that no variant has is left out: CHGONE of CHARGES",
    ] {
      #expect(imported.notes.contains(note))
    }
    #expect(imported.notes.count == 51)
  }

  @Test("one file is always one menu")
  func stable() throws {
    let again = try MenuFile.load(path: SharedDatasets.path("dominos-menu.json"))
    #expect(again == imported)
    #expect(menu.fingerprint.description == "8941f997224c836e")
  }

  @Test("it comes back equal from our own format")
  func roundTrip() throws {
    #expect(try MenuFile.decode(MenuFile.encode(menu)).menu == menu)
  }
}
