import Basics
import Foundation
import MenuModel
import Testing

@testable import MenuSources

@Suite("Keys of our own format")
struct OwnKeysTests {
  /// A menu in which nothing is absent.
  static var fullMenu: Menu {
    var menu = Menu(shape: MenuShape(.small))
    menu.categories[1].parentID = menu.categories[0].id
    menu.ingredients[0].code = "a"
    menu.products[0].code = "b"
    menu.products[0].variants[0].code = "c"
    menu.products[0].variants[0].dough = "thin"
    menu.products[0].variants[0].weight = 1
    menu.combos[0].code = "d"
    menu.combos[0].oldPrice = 1
    menu.combos[0].slots[0].options = [
      SlotOption(
        productID: menu.products[0].id, variantID: menu.products[0].variants[0].id,
        product: menu.products[0])
    ]
    menu.products[0].hours = [ServingHours(from: 1, until: 2)]
    menu.products[0].otherCategoryIDs = [menu.categories[0].id]
    menu.products[0].variants[0].priceTiers = [
      PriceTier(name: "e", price: 1, orderType: .pickup), PriceTier(name: "f", price: 1),
    ]
    menu.modifierGroups[0].options[0].modifierGroupIDs = [menu.modifierGroups[1].id]
    menu.storeOverrides = [
      StoreOverride(storeID: 1, entity: .product, entityID: 1, price: 1),
      StoreOverride(storeID: 1, entity: .product, entityID: 2, availability: .hidden),
    ]
    menu.stopList = [StopListEntry(entity: .product, entityID: 1, until: "2026-01-01")]
    return menu
  }

  @Test("are all known, and no other is")
  func known() throws {
    var keys: Set<String> = []
    try JSONScanner.scan([UInt8](try MenuFile.encode(Self.fullMenu))) {
      if $0.isKey { keys.insert($0.text) }
    }
    #expect(keys == MenuFileParts.keys)
  }

  @Test("are named in a note if they are unknown")
  func unknown() throws {
    let small = try MenuFile.encode(Menu(shape: MenuShape(.small)))
    let file = String(decoding: small, as: UTF8.self)
      .replacing("\"city\":", with: "\"mayor\":{\"age\":50},\"city\":")
    #expect(
      try MenuFile.decode(Data(file.utf8)).notes
        == ["2 keys have no place in the menu model: menu.mayor, menu.mayor.age"])
    #expect(try MenuFile.decode(small).notes == [])
  }

  @Test("are held up to a limit if they are unknown")
  func thousands() throws {
    let keys = (0..<2_000).map { "\"k\($0)\":0," }.joined() + "\"city\":"
    let small = String(decoding: try MenuFile.encode(Menu(shape: MenuShape(.small))), as: UTF8.self)
    let file = small.replacing("\"city\":", with: keys)
    let note = try MenuFile.decode(Data(file.utf8)).notes.first
    let start = "1000 or more keys have no place in the menu model: menu.k0, menu.k1, "
    #expect(note?.hasPrefix(start) == true, "\(note ?? "")")
  }

  @Test("are named with their place and the likely key if they are misspelt")
  func misspelt() throws {
    let small = String(decoding: try MenuFile.encode(Menu(shape: MenuShape(.small))), as: UTF8.self)
    let first = try #require(small.range(of: "\"products\":[{"))
    let dearer = small.replacingCharacters(in: first, with: "\"products\":[{\"prise\":1,")
    #expect(
      try MenuFile.decode(Data(dearer.utf8)).notes
        == [
          "1 key has no place in the menu model: menu.products[0].prise (did you mean price?)"
        ])
    let nameless = small.replacing("\"city\":", with: "\"ctiy\":")
    #expect(
      throws: Refusal("menu.city is missing, and 'ctiy' is not a key of the format")
    ) { try MenuFile.decode(Data(nameless.utf8)) }
  }
}
