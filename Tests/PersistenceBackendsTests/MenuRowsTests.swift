import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A menu as rows")
struct MenuRowsTests {
  @Test("has its rows in the order of their keys, whatever the menu's")
  func keyOrder() throws {
    let rows = try MenuRows(Fixtures.full)
    #expect(rows.products.rows.map(\.id) == [100, 200, 300])
    #expect(rows.products.rows.map(\.position) == [1, 2, 0])
    #expect(rows.products.variants.map(\.id) == [1, 31, 32, 33])
    #expect(rows.combos.slots.map(\.id) == [60, 61, 62, 63, 64])
    #expect(rows.combos.listOptions.map(\.parent) == [4, 8, 8])
    #expect(rows.combos.slotOptions.map(\.parent) == [62, 62, 64])
  }

  @Test("distinguishes a slot's empty list from no list")
  func emptyList() throws {
    var menu = Fixtures.extremes
    #expect(try Menu(try MenuRows(menu)).combos[0].slots[0].options == [])
    menu.combos[0].slots[0].options = nil
    #expect(try Menu(try MenuRows(menu)).combos[0].slots[0].options == nil)
  }

  @Test("has an embedded product once")
  func embedsOnce() throws {
    let embedded = try MenuRows(Fixtures.embedding(Fixtures.full))
    let referenced = try MenuRows(Fixtures.full)
    #expect(embedded.products == referenced.products)
    #expect(embedded.combos.slotOptions.map(\.embedsProduct) == [true, true, true])
    #expect(referenced.combos.slotOptions.map(\.embedsProduct) == [false, false, false])
  }

  @Test("refuses an embedded product that differs from the menu's by one byte or more")
  func embeddedDiffers() throws {
    let changes: [(inout Product) -> Void] = [
      { $0.name = "Маргарита " },
      { $0.variants[0].price += 1 },
      { $0.tags = ["e\u{301}"] },
      { $0.id = 100 },
    ]
    for change in changes {
      var menu = Fixtures.full
      menu.products[2].tags = ["é"]
      var copy = menu.products[2]
      change(&copy)
      menu.combos[2].slots[1].options = [SlotOption(productID: 200, product: copy)]
      #expect(
        throws: StoreError(
          operation: "encode", path: "menu",
          reason: "product 200 is embedded with other content than in the menu")
      ) { try MenuRows(menu) }
    }
  }

  @Test("refuses an embedded product whose zero has another sign")
  func embeddedZero() throws {
    var menu = Fixtures.full
    var copy = menu.products[0]
    copy.variants[0].nutrition?.per100g.fats = -0.0
    menu.optionLists[0].options[0].product = copy
    #expect(throws: StoreError.self) { try MenuRows(menu) }
  }

  @Test("refuses an embedded product that the menu does not have")
  func embeddedUnknown() throws {
    var menu = Fixtures.full
    menu.optionLists[1].options = [SlotOption(productID: 5, product: menu.products[0])]
    #expect(
      throws: StoreError(
        operation: "encode", path: "menu", reason: "product 5 is embedded but not in the menu")
    ) { try MenuRows(menu) }
  }

  @Test("is refused if rows contradict each other")
  func contradictions() throws {
    let changes: [(inout MenuRows) -> Void] = [
      { $0.menus = [] },
      { $0.menus += $0.menus },
      { $0.products.tags[0].parent = 1 },
      { $0.products.priceTiers[1].parent = 34 },
      { $0.modifiers.prices[0].parent.position = 9 },
      { $0.products.variants[0].productID = 5 },
      { $0.combos.slots[4].comboID = 99 },
      { $0.combos.slotOptions[2].parent = 65 },
      { $0.combos.slots[2].hasOwnOptions = false },
      { $0.products.rows[0].kind = "soup" },
      { $0.stopList[0].entity = "" },
      { rows in
        rows.combos.slotOptions[0].embedsProduct = true
        rows.combos.slotOptions[0].productID = 4
      },
    ]
    for change in changes {
      var rows = try MenuRows(Fixtures.full)
      change(&rows)
      let error = #expect(throws: StoreError.self) { try Menu(rows) }
      #expect(error?.operation == "decode")
    }
  }

  @Test("describes its tables of options once, however many rows name them")
  func describedOnce() {
    // Both are there at once: else the second could lie where the first was.
    let first = [SlotOptionRow<SharedList>.table, SlotOptionRow<OwnList>.table].map(\.columns)
    let second = [SlotOptionRow<SharedList>.table, SlotOptionRow<OwnList>.table].map(\.columns)
    #expect(first.map { $0.map(\.name)[0] } == ["option_list_id", "slot_id"])
    #expect(first.map(place) == second.map(place))
  }

  private func place(_ columns: [Column]) -> UnsafePointer<Column>? {
    columns.withUnsafeBufferPointer { $0.baseAddress }
  }

  @Test("names the row with a missing parent")
  func orphan() throws {
    var rows = try MenuRows(Fixtures.full)
    rows.products.tags[0].parent = 1
    #expect(
      throws: StoreError(
        operation: "decode", path: "rows", reason: "ProductTagRow of 1: no such parent")
    ) { try Menu(rows) }
  }
}
