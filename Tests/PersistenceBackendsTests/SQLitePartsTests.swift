import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The sqlite backend's routes to parts of a menu")
struct SQLitePartsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private static let small = Menu(shape: MenuShape(.small))

  private func store(_ menu: Menu) throws -> SQLiteBackend {
    let backend = try SQLiteBackend(folder.store())
    try replace(menu, in: backend)
    return backend
  }

  @Test("visit only rows that an index leads to")
  func indexed() throws {
    let backend = try store(Self.small)
    for product in Self.small.products { _ = try backend.product(product.id) }
    for combo in Self.small.combos { _ = try backend.combo(combo.id) }
    #expect(try backend.store.scannedRows() == 0)
    try backend.close()
  }

  @Test("find the products and combos of the first screen by indexes")
  func screen() throws {
    let backend = try store(Self.small)
    let scans = try [ScreenStatements.products, ScreenStatements.combos].map { sql in
      try Set(backend.store.plan(of: sql).filter { $0.hasPrefix("SCAN") })
    }
    #expect(scans == [["SCAN category"], ["SCAN combo USING INDEX combo_position"]])
    try backend.close()
  }

  @Test("fetch no more pages from a menu that is twelve times as large")
  func pages() throws {
    let menu = Menu(shape: try MenuShape(parsing: "products=972,combos=96,slots=4,options=18"))
    var fetched: [Int] = []
    for menu in [Self.small, menu] {
      let folder = try TemporaryFolder()
      let backend = try SQLiteBackend(folder.store())
      try replace(menu, in: backend)
      _ = try backend.product(menu.products[40].id)
      fetched.append(try pages(backend) { _ = try backend.product(menu.products[40].id) })
      fetched.append(try pages(backend) { _ = try backend.read() })
      try backend.close()
    }
    // The trees of a larger menu are at most one level deeper: nine tables and an index.
    #expect(fetched[2] <= fetched[0] + 10)
    #expect(fetched[3] >= fetched[1] * 6)
    #expect(fetched[2] * 10 < fetched[3])
  }

  private func pages(_ backend: SQLiteBackend, _ body: () throws -> Void) throws -> Int {
    try backend.dropCaches()
    let before = try backend.store.pagesFetched()
    try body()
    return try backend.store.pagesFetched() - before
  }

  @Test("name the operation if the store is closed before a statement was prepared")
  func operations() throws {
    let backend = try SQLiteBackend(folder.store())
    try backend.close()
    func refusal(_ operation: String) -> StoreError {
      StoreError(operation: operation, path: path, reason: "the store is closed")
    }
    let filter = ProductFilter(categoryID: 1, priceUpTo: 1)
    #expect(throws: refusal("read")) { try backend.product(1) }
    #expect(throws: refusal("search")) { try backend.products(named: "") }
    #expect(throws: refusal("search")) { try backend.products(passing: filter) }
    #expect(throws: refusal("write")) { try backend.apply(MenuPatch(revision: 1)) }
  }

  @Test("prepare their statements at their first use, and keep them")
  func prepares() throws {
    let backend = try store(Fixtures.full)
    func prepared() throws -> Int {
      try backend.store.prepared().count { sql in
        ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
      }
    }
    let filter = ProductFilter(categoryID: 1, priceUpTo: 1)
    // The first of them also prepares the one that looks for the menu. Patches have three for the
    // menu, products and variants, three for the stop list and one for each kind of thing in it.
    let uses: [(count: Int, use: () throws -> Void)] = [
      (1 + 10, { _ = try backend.product(300) }),
      (10 + 5, { _ = try backend.combo(11) }),
      (3, { _ = try backend.firstScreen() }),
      (1, { _ = try backend.products(named: "") }),
      (1, { _ = try backend.products(passing: filter) }),
      (3 + 3 + 7, { try backend.apply(MenuPatch(revision: 1)) }),
    ]
    for (count, use) in uses {
      let before = try prepared()
      for _ in 0..<2 {
        try use()
        #expect(try prepared() - before == count)
      }
    }
    try backend.close()
  }

  @Test("keep no name that is not UTF-8, since an index keeps its key")
  func damagedName() throws {
    let backend = try store(Fixtures.full)
    let connection = try CConnection(path: path)
    let error = #expect(throws: SQLiteFailure.self) {
      try connection.run("UPDATE product SET name = CAST(x'ff' AS TEXT) WHERE id = 200")
    }
    connection.close()
    #expect(error?.reason == "a product's name is not UTF-8 (SQLite 1)")
    #expect(try backend.product(100)?.name == "Кола")
    try backend.close()
  }
}
