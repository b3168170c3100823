import GRDB
import GRDBSQLite
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("Parts of a menu in sqlite-records")
struct SQLiteRecordsPartsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The fixtures, and small generated menus with both knobs.
  private static let menus: [Menu] =
    Fixtures.all.map(\.menu)
    + [
      Menu(shape: MenuShape(.small)),
      Menu(shape: MenuShape(.small).with(lists: .repeated, optionProducts: .embedded)),
    ]

  @Test("are those of the whole menu", arguments: Durability.allCases)
  func parts(durability: Durability) throws {
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    for menu in Self.menus {
      try replace(menu, in: backend)
      for product in menu.products {
        let found = try #require(try backend.product(product.id))
        #expect(found == product)
        #expect(checksum(found) == checksum(product))
      }
      for combo in menu.combos {
        let found = try #require(try backend.combo(combo.id))
        let expected = try #require(menu.resolvedCombo(combo.id))
        #expect(found == expected)
        #expect(checksum(found) == checksum(expected))
      }
      #expect(try backend.product(-7) == nil)
      #expect(try backend.combo(-7) == nil)
    }
    try backend.close()
  }

  private func checksum(_ part: some MenuPart) -> Checksum {
    var checksum = Checksum()
    part.visit(&checksum)
    return checksum
  }

  @Test("are found by the index of their category, not by a look at every product")
  func categoryIndex() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    let plan = try backend.reading { db in
      let request = ProductRecord.shown(by: 3)
      let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
      return try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: statement.arguments
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains("SEARCH product USING INDEX product_on_categoryId (categoryId=?)"))
    #expect(!plan.contains("SCAN product"))
    try backend.close()
  }

  @Test("are found by name as the reference finds them")
  func search() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    var odd = Fixtures.full
    odd.products[0].name = "Ёлка\u{0}1"
    odd.products[1].name = "\u{1B}0 елка"
    odd.products[2].name = "e\u{301}"
    for menu in Self.menus + [odd] {
      try replace(menu, in: backend)
      for query in ["", "п", "ПЕ", "ёл", "ЕЛКА", "é", "e", "0", "\u{0}", "\u{1B}", "a\u{0}b", "%"] {
        #expect(try backend.products(named: query) == NameSearch.products(of: menu, named: query))
      }
    }
    #expect(try backend.products(named: "елка").count == 2)
    #expect(try backend.products(named: "\u{0}1") == [odd.products[0].id])
    try backend.close()
  }

  @Test("are changed as the reference changes them", arguments: Durability.allCases)
  func patch(durability: Durability) throws {
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    for menu in Self.menus {
      try replace(menu, in: backend)
      let variants = menu.products.flatMap(\.variants).map(\.id)
      let products = menu.products.map(\.id)
      let patch = MenuPatch(
        revision: 77,
        prices: (variants + variants.prefix(1)).enumerated().map {
          MenuPatch.PriceChange(variantID: $0.element, price: $0.offset)
        },
        availability: (products + products.prefix(1)).enumerated().map {
          MenuPatch.AvailabilityChange(
            productID: $0.element, availability: $0.offset % 2 == 0 ? .hidden : .comboOnly)
        })
      try backend.apply(patch)
      var expected = menu
      try expected.apply(patch)
      let found = try restored(from: backend)
      #expect(found == expected)
      #expect(found.fingerprint == expected.fingerprint)
    }
    try backend.close()
  }

  @Test("that are not there can't be changed, and nothing else is")
  func unknownTarget() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let hidden = MenuPatch.AvailabilityChange(productID: 300, availability: .hidden)
    let nobody = MenuPatch.AvailabilityChange(productID: 31, availability: .hidden)
    let free = MenuPatch.PriceChange(variantID: 33, price: 0)
    let nothing = MenuPatch.PriceChange(variantID: 300, price: 0)
    #expect(throws: UnknownPatchTarget(entity: .product, id: 31)) {
      try backend.apply(
        MenuPatch(revision: 1, prices: [nothing], availability: [hidden, nobody]))
    }
    #expect(throws: UnknownPatchTarget(entity: .variant, id: 300)) {
      try backend.apply(
        MenuPatch(revision: 1, prices: [free, nothing], availability: [hidden]))
    }
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("can't be changed before anything was written")
  func nothingToPatch() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    let error = StoreError(
      operation: "write", path: folder.path + "/menu.sqlite", reason: "nothing was written")
    #expect(throws: error) { try backend.apply(MenuPatch(revision: 1)) }
    try backend.close()
  }

  @Test("are read without most of the database", arguments: Durability.allCases)
  func partialReads(durability: Durability) throws {
    let menu = Menu(shape: MenuShape(.medium))
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    try replace(menu, in: backend)
    let pages = try backend.reading { try Int.fetchOne($0, sql: "PRAGMA page_count") } ?? 0
    #expect(pages > 100)
    let product = try #require(menu.products.last?.id)
    let combo = try #require(menu.combos.first?.id)
    let forProduct = try pagesRead(by: backend) { _ = try $0.product(product) }
    let forCombo = try pagesRead(by: backend) { _ = try $0.combo(combo) }
    let forMenu = try pagesRead(by: backend) { _ = try $0.read() }
    #expect(forProduct < pages / 5)
    #expect(forCombo < pages / 2)
    #expect(forMenu > pages / 2)
    try backend.close()
  }

  /// The pages that an operation takes from the file once caches are dropped.
  private func pagesRead(
    by backend: SQLiteRecordsBackend, _ body: (SQLiteRecordsBackend) throws -> Void
  ) throws -> Int {
    try backend.dropCaches()
    let before = try cacheMisses(of: backend)
    try body(backend)
    return try cacheMisses(of: backend) - before
  }

  private func cacheMisses(of backend: SQLiteRecordsBackend) throws -> Int {
    try backend.reading { db in
      var (current, high): (Int32, Int32) = (0, 0)
      sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &current, &high, 0)
      return Int(current)
    }
  }
}
