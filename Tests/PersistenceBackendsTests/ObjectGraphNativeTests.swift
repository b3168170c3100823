import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

private let menus: [(name: String, menu: Menu)] =
  Fixtures.all + [("generated", ObjectFixtures.shared), ("repeated", ObjectFixtures.repeated)]

/// Small generated menus.
enum ObjectFixtures {
  static let shared = menu("products=12,combos=4,slots=3,options=5,seed=7")
  /// The founding case: every slot has options of its own, every option a copy of its product.
  static let repeated = menu(
    "products=12,combos=4,slots=3,options=5,lists=repeated,embed=yes,seed=7")

  private static func menu(_ shape: String) -> Menu {
    guard let shape = try? MenuShape(parsing: shape) else {
      Issue.record("no such shape: \(shape)")
      return Fixtures.bare
    }
    return Menu(shape: shape)
  }
}

@Suite("The object-graph backends by their own routes")
struct ObjectGraphNativeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("read every product and combo as the menu has it", arguments: ObjectAccess.both)
  func parts(access: ObjectAccess) throws {
    let backend = try ObjectBackend(folder.store(.none), access)
    for (_, menu) in menus {
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
      #expect(try backend.product(-77) == nil)
      #expect(try backend.combo(-77) == nil)
    }
    try backend.close()
  }

  private func checksum(_ part: some MenuPart) -> Checksum {
    var checksum = Checksum()
    part.visit(&checksum)
    return checksum
  }

  @Test("patch products, their variants and every copy", arguments: ObjectAccess.both)
  func patches(access: ObjectAccess) throws {
    let backend = try ObjectBackend(folder.store(.none), access)
    for (_, menu) in menus where !menu.products.isEmpty {
      try replace(menu, in: backend)
      let patch = patch(menu)
      var expected = menu
      try expected.apply(patch)
      try backend.apply(patch)
      #expect(try restored(from: backend) == expected)
    }
    try backend.close()
  }

  private func patch(_ menu: Menu) -> MenuPatch {
    let product = menu.products[0]
    return MenuPatch(
      revision: 77,
      prices: [
        MenuPatch.PriceChange(variantID: product.variants[0].id, price: 1),
        MenuPatch.PriceChange(variantID: product.variants[0].id, price: 2),
      ],
      availability: menu.products.map {
        MenuPatch.AvailabilityChange(productID: $0.id, availability: .hidden)
      })
  }

  @Test("leave the menu alone where a patch names what is not there", arguments: ObjectAccess.both)
  func unknownTargets(access: ObjectAccess) throws {
    var menu = Fixtures.embedding(Fixtures.full)
    // Only a copy has it.
    menu.combos[0].slots[1].options?[0].product?.variants[0].id = 555
    let backend = try ObjectBackend(folder.store(.none), access)
    try replace(menu, in: backend)
    let known = MenuPatch.AvailabilityChange(productID: 300, availability: .hidden)
    let unknown = MenuPatch.AvailabilityChange(productID: 9, availability: .hidden)
    let price = MenuPatch.PriceChange(variantID: 555, price: 1)
    #expect(throws: UnknownPatchTarget(entity: .product, id: 9)) {
      try backend.apply(
        MenuPatch(revision: 1, prices: [price], availability: [known, unknown]))
    }
    #expect(throws: UnknownPatchTarget(entity: .variant, id: 555)) {
      try backend.apply(MenuPatch(revision: 1, prices: [price], availability: [known]))
    }
    #expect(try restored(from: backend) == menu)
    try backend.close()
  }

  @Test("find names as the reference does, NUL and all", arguments: ObjectAccess.both)
  func names(access: ObjectAccess) throws {
    var menu = Fixtures.embedding(Fixtures.full)
    let names = ["Ёжик", "ёж\u{0}ик", "e\u{301}clair", "ÉCLAIR", "", "\u{0}", "ежик"]
    menu.products += names.enumerated().map { index, name in
      var product = menu.products[1]
      product.id = 1_000 - index
      product.name = name
      return product
    }
    let backend = try ObjectBackend(folder.store(.none), access)
    try replace(menu, in: backend)
    for query in ["", "ЕЖ", "ё", "é", "\u{0}", "\u{0}и", "пе", "нет", "%", "К"] {
      #expect(try backend.products(named: query) == NameSearch.products(of: menu, named: query))
    }
    #expect(try backend.products(named: "ёж") == [999, 994, 1_000])
    #expect(try backend.products(named: "\u{0}") == [995, 999])
    try backend.close()
  }

  @Test("say that nothing was written", arguments: ObjectAccess.both)
  func empty(access: ObjectAccess) throws {
    let backend = try ObjectBackend(folder.store(), access)
    func refusal(_ operation: String) -> StoreError {
      StoreError(
        operation: operation, path: folder.path + "/objects.sqlite", reason: "nothing was written")
    }
    #expect(throws: refusal("read")) { try backend.product(1) }
    #expect(throws: refusal("read")) { try backend.combo(1) }
    #expect(throws: refusal("read")) { try backend.products(named: "") }
    #expect(throws: refusal("write")) { try backend.apply(MenuPatch(revision: 1)) }
    try backend.close()
  }

  @Test("let a reader see the last whole menu", arguments: ObjectAccess.both)
  func reader(access: ObjectAccess) throws {
    let backend = try ObjectBackend(folder.store(.atomic), access)
    try replace(Fixtures.bare, in: backend)
    let reader = try backend.openReader()
    #expect(try restored(from: reader) == Fixtures.bare)
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: reader) == Fixtures.full)
    #expect(throws: StoreError.self) { try replace(Fixtures.bare, in: reader) }
    #expect(try restored(from: backend) == Fixtures.full)
    try reader.close()
    try backend.close()
  }
}
