import MenuModel
import Testing

struct ComboValidationTests {
  static let breakages = [
    Breakage("optionLists[1]: option list 1 is already at optionLists[0]") {
      $0.optionLists.append($0.optionLists[0])
    },
    Breakage("optionLists[1]: it has no options") {
      $0.optionLists.append(OptionList(id: 2, options: []))
    },
    Breakage("combos[1]: combo 1 is already at combos[0]") { $0.combos[1].id = 1 },
    Breakage("combos[1]: price -1 is below zero") { $0.combos[1].price = -1 },
    Breakage("combos[1]: old price -1 is below zero") { $0.combos[1].oldPrice = -1 },
    Breakage("combos[0].slots[1]: slot 1 is already at combos[0].slots[0]") {
      $0.combos[0].slots[1].id = 1
    },
    Breakage("combos[0].slots[0]: min 2 is above max 1") { $0.combos[0].slots[0].min = 2 },
    Breakage("combos[0].slots[0]: min -2 is below zero") { $0.combos[0].slots[0].min = -2 },
    Breakage("combos[0].slots[0]: option list 8 does not exist") {
      $0.combos[0].slots[0].optionListID = 8
    },
    Breakage("combos[0].slots[0]: it has neither an option list nor options") {
      $0.combos[0].slots[0].optionListID = nil
    },
    Breakage("combos[0].slots[1]: it has both an option list and options") {
      $0.combos[0].slots[1].optionListID = 1
    },
    Breakage("combos[0].slots[1]: it has no options") {
      $0.combos[0].slots[1].options = []
      $0.combos[0].slots[1].defaultProductID = nil
    },
    Breakage("combos[0].slots[0]: default product 2 is not among its options") {
      $0.combos[0].slots[0].defaultProductID = 2
    },
    Breakage("combos[0].slots[1]: default product 9 is not among its options") {
      $0.combos[0].slots[1].defaultProductID = 9
    },
    Breakage("combos[0].slots[1].options[1]: product 912 does not exist") {
      $0.combos[0].slots[1].options?[1].productID = 912
    },
    Breakage("optionLists[0].options[0]: variant 99 does not exist") {
      $0.optionLists[0].options[0].variantID = 99
    },
    Breakage("optionLists[0].options[0]: variant 21 is of product 2, not 1") {
      $0.optionLists[0].options[0].variantID = 21
    },
    Breakage("combos[0].slots[1].options[0]: embedded product 2 differs from products[1]") {
      $0.combos[0].slots[1].options?[0].product?.name = "Coffee"
    },
    Breakage("combos[0].slots[1].options[1]: embedded product 2 differs from products[0]") {
      $0.combos[0].slots[1].options?[1].product = $0.products[1]
    },
    Breakage("stopList[0]: variant 13 does not exist") { $0.stopList[0].entityID = 13 },
    Breakage("stopList[0]: until '99999-99-99' is not ISO 8601") {
      $0.stopList[0].until = "99999-99-99"
    },
    Breakage("stopList[0]: until '2026-02-29' is not ISO 8601") {
      $0.stopList[0].until = "2026-02-29"
    },
    Breakage("stopList[0]: until '2026-03-08T12:60Z' is not ISO 8601") {
      $0.stopList[0].until = "2026-03-08T12:60Z"
    },
    Breakage("translations[0]: modifier group 3 does not exist") {
      $0.translations[0].entity = .modifierGroup
      $0.translations[0].entityID = 3
    },
    Breakage("translations[1]: product 1 already has a translation to en-US") {
      $0.translations[1].entity = .product
    },
  ]

  @Test("A broken combo, slot, option, stop list or translation is named", arguments: breakages)
  func broken(breakage: Breakage) {
    breakage.check()
  }

  @Test(
    "A stop lasts until a date, or a moment in any of the usual forms",
    arguments: [
      "2026-03-08", "2024-02-29", "2026-03-08T12:00:00Z", "2026-03-01T09:00:00+03:00",
      "2026-03-08 12:00", "2026-03-08T24:00", "2026-03-08T12:00:00.123+0300",
    ])
  func until(_ date: String) {
    var menu = Menu.valid
    menu.stopList[0].until = date
    #expect(menu.problems().isEmpty)
  }

  @Test("A reference to a missing thing of any kind is named", arguments: Entity.allCases)
  func missing(entity: Entity) {
    var menu = Menu.valid
    menu.stopList = [StopListEntry(entity: entity, entityID: 777)]
    let kind = entity == .modifierGroup ? "modifier group" : entity.rawValue
    #expect(menu.problems().map(\.description) == ["stopList[0]: \(kind) 777 does not exist"])
  }
}
