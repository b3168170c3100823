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
  private static let menus = Fixtures.all.map(\.menu) + [small, Fixtures.embedding(small)]

  private func store(_ menu: Menu) throws -> SQLiteBackend {
    let backend = try SQLiteBackend(folder.store())
    try replace(menu, in: backend)
    return backend
  }

  @Test("give every product and every resolved combo as the whole menu has them")
  func equalReference() throws {
    for menu in Self.menus {
      let backend = try store(menu)
      for product in menu.products {
        var found = Checksum()
        var expected = Checksum()
        try #require(try backend.product(product.id)).visit(&found)
        product.visit(&expected)
        #expect(found == expected)
      }
      for combo in menu.combos {
        let found = try #require(try backend.combo(combo.id))
        let expected = try #require(menu.resolvedCombo(combo.id))
        #expect(found == expected)
        #expect(checksum(found) == checksum(expected))
      }
      #expect(try backend.product(-7) == nil)
      #expect(try backend.combo(-7) == nil)
      try backend.close()
    }
  }

  private func checksum(_ combo: ResolvedCombo) -> Checksum {
    var checksum = Checksum()
    combo.visit(&checksum)
    return checksum
  }

  @Test("go over no row that an index does not lead to")
  func indexed() throws {
    let backend = try store(Self.small)
    for product in Self.small.products { _ = try backend.product(product.id) }
    for combo in Self.small.combos { _ = try backend.combo(combo.id) }
    #expect(try backend.store.scannedRows() == 0)
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

  @Test("say so where nothing was written or the store is closed")
  func nothingToRead() throws {
    let backend = try SQLiteBackend(folder.store())
    for reason in ["nothing was written", "the store is closed"] {
      let calls: [() throws -> Void] = [
        { _ = try backend.product(1) },
        { _ = try backend.combo(1) },
        { _ = try backend.products(named: "") },
        { try backend.apply(MenuPatch(revision: 1)) },
      ]
      for call in calls {
        let error = #expect(throws: StoreError.self) { try call() }
        #expect(error?.reason == reason)
        #expect(error?.path == path)
      }
      try backend.close()
    }
  }

  @Test("say what was to be done where the store is closed before a statement was prepared")
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

  @Test("prepare what each of them runs with its first use, and keep it")
  func prepares() throws {
    let backend = try store(Fixtures.full)
    func prepared() throws -> Int {
      try backend.store.prepared().count { sql in
        ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
      }
    }
    let filter = ProductFilter(categoryID: 1, priceUpTo: 1)
    // With the first of them the one that looks for the menu; of patches three for the menu, products and
    // variants, three for the stop list and one for each kind of thing in it.
    let uses: [(count: Int, use: () throws -> Void)] = [
      (1 + 10, { _ = try backend.product(300) }),
      (10 + 5, { _ = try backend.combo(11) }),
      (1 + 10 + 5, { _ = try backend.firstScreen() }),
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

  @Test("find names by the reference's rules, whatever the names hold")
  func names() throws {
    var menu = Fixtures.bare
    let names = Fixtures.texts + ["Пицца", "ПИЦЦА", "Ёжик", "ежик", "йод", "иод", "a\u{0}B", ""]
    menu.categories = [Category(id: 1, name: "")]
    menu.products = names.indices.reversed().map {
      Product(id: $0, categoryID: 1, kind: .other, name: names[$0], details: "", variants: [])
    }
    let backend = try store(menu)
    for query in names + ["ё", "е", "й", "и", "\u{0}b", "b", "%", "нет такого"] {
      #expect(
        try backend.products(named: query) == NameSearch.products(of: menu, named: query),
        "\(query.debugDescription)")
    }
    #expect(try backend.products(named: "\u{0}b") == [3, 27])
    #expect(try backend.products(named: "").count == names.count)
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

  @Test("patch in place as the reference does, the copies that options embed too")
  func patch() throws {
    var menu = Fixtures.embedding(Fixtures.full)
    let backend = try store(menu)
    let patch = MenuPatch(
      revision: 43,
      prices: [
        .init(variantID: 31, price: 5), .init(variantID: 1, price: -1),
        .init(variantID: 31, price: 6),
      ],
      availability: [
        .init(productID: 100, availability: .hidden),
        .init(productID: 100, availability: .available),
      ])
    try backend.apply(patch)
    try menu.apply(patch)
    #expect(try restored(from: backend).fingerprint == menu.fingerprint)
    #expect(try backend.combo(11) == menu.resolvedCombo(11))
    try backend.close()
  }

  @Test("undo a patch that names what is not there")
  func unknownTarget() throws {
    let backend = try store(Fixtures.full)
    let known = MenuPatch.PriceChange(variantID: 31, price: 1)
    #expect(throws: UnknownPatchTarget(entity: .product, id: 5)) {
      try backend.apply(
        MenuPatch(
          revision: 50, prices: [known, .init(variantID: 6, price: 1)],
          availability: [.init(productID: 5, availability: .hidden)]))
    }
    #expect(throws: UnknownPatchTarget(entity: .variant, id: 6)) {
      try backend.apply(
        MenuPatch(revision: 50, prices: [known, .init(variantID: 6, price: 1)]))
    }
    #expect(try restored(from: backend).fingerprint == Fixtures.full.fingerprint)
    try backend.close()
  }
}
