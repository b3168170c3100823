import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends

/// Menus that the routes are tried on, beside the fixtures: ids that repeat, embedded products that
/// are not the menu's own, and lists that do not exist.
enum EntityMenus {
  static let all = Fixtures.all + [("careless", careless)]

  static let careless: Menu = {
    var menu = Fixtures.embedding(Fixtures.full)
    menu.products.append(menu.products[0])
    menu.products[3].name = "Пепперони\u{0} ещё раз"
    menu.products[3].variants[0].price = 5
    menu.categories += [menu.categories[1], menu.categories[1]]
    menu.combos.append(menu.combos[0])
    menu.combos[3].name = "Второй обед"
    menu.combos[1].slots = [Slot(id: 99, name: "Ничей", min: 0, max: 1, optionListID: 404)]
    menu.combos[2].slots[1].options?[0].product?.name = "не та"
    menu.combos[2].slots[1].options?.append(SlotOption(productID: 4_711))
    menu.translations = (0..<150).map {
      Translation(locale: "l\($0)", entity: .product, entityID: $0, name: "n\($0)")
    }
    return menu
  }()
}

@Suite("The lmdb backend's entities")
struct LMDBEntityTests {
  private func open(_ folder: TemporaryFolder, with menu: Menu) throws -> LMDBBackend {
    let backend = try LMDBBackend(folder.store())
    try replace(menu, in: backend)
    return backend
  }

  @Test("keep menus that break every rule of ids")
  func careless() throws {
    let folder = try TemporaryFolder()
    let backend = try open(folder, with: EntityMenus.careless)
    #expect(try restored(from: backend) == EntityMenus.careless)
    #expect(try restored(from: backend).fingerprint == EntityMenus.careless.fingerprint)
    try backend.close()
  }

  @Test("give every product as the whole menu has it")
  func products() throws {
    for (_, menu) in EntityMenus.all {
      let folder = try TemporaryFolder()
      let backend = try open(folder, with: menu)
      for id in Set(menu.products.map(\.id) + [-7]) {
        #expect(try backend.product(id) == menu.product(id))
      }
      for id in Set(menu.combos.map(\.id) + [-7]) {
        #expect(try backend.combo(id) == menu.resolvedCombo(id))
      }
      try backend.close()
    }
  }

  @Test("change in nothing but what a patch names")
  func patches() throws {
    for (_, menu) in EntityMenus.all {
      let folder = try TemporaryFolder()
      let backend = try open(folder, with: menu)
      let patch = MenuPatch(
        revision: -5,
        prices: menu.products.flatMap(\.variants).enumerated().map {
          MenuPatch.PriceChange(variantID: $0.element.id, price: .max - $0.offset)
        },
        availability: menu.products.flatMap { product in
          [Product.Availability.hidden, .comboOnly].map {
            MenuPatch.AvailabilityChange(productID: product.id, availability: $0)
          }
        })
      var wanted = menu
      try wanted.apply(patch)
      try backend.apply(patch)
      #expect(try restored(from: backend) == wanted)
      #expect(try restored(from: backend).fingerprint == wanted.fingerprint)
      try backend.apply(MenuPatch(revision: 3))
      #expect(try restored(from: backend).revision == 3)
      try backend.close()
    }
  }

  @Test("are found by what a second patch names after a first")
  func patchesTwice() throws {
    let folder = try TemporaryFolder()
    var menu = Fixtures.embedding(Fixtures.full)
    let backend = try open(folder, with: menu)
    for price in [1, 1_000_000_000_000] {
      let patch = MenuPatch(
        revision: price, prices: [.init(variantID: 33, price: price)],
        availability: [.init(productID: 100, availability: .hidden)])
      try menu.apply(patch)
      try backend.apply(patch)
      #expect(try restored(from: backend) == menu)
    }
    try backend.close()
  }

  @Test("are left as they were by a patch of something unknown")
  func unknownTargets() throws {
    let folder = try TemporaryFolder()
    var menu = Fixtures.embedding(Fixtures.full)
    menu.combos[0].slots[1].options?[0].product?.variants[0].id = 777
    let backend = try open(folder, with: menu)
    let availability = [MenuPatch.AvailabilityChange(productID: 100, availability: .hidden)]
    // A variant of a copy alone is not the menu's.
    for id in [777, -1] {
      #expect(throws: UnknownPatchTarget(entity: .variant, id: id)) {
        try backend.apply(
          MenuPatch(
            revision: 1,
            prices: [.init(variantID: 33, price: 1), .init(variantID: id, price: 1)],
            availability: availability))
      }
    }
    #expect(throws: UnknownPatchTarget(entity: .product, id: 5)) {
      try backend.apply(
        MenuPatch(
          revision: 1, availability: availability + [.init(productID: 5, availability: .hidden)]))
    }
    #expect(try restored(from: backend) == menu)
    try backend.close()
  }

  @Test("say of parts, too, that nothing was written")
  func nothingWritten() throws {
    let folder = try TemporaryFolder()
    let backend = try LMDBBackend(folder.store())
    func failure(_ body: () throws -> Void) -> String? {
      #expect(throws: StoreError.self, performing: body)?.reason
    }
    #expect(failure { _ = try backend.product(1) } == "nothing was written")
    #expect(failure { _ = try backend.combo(1) } == "nothing was written")
    #expect(failure { try backend.apply(MenuPatch(revision: 1)) } == "nothing was written")
    #expect(failure { _ = try backend.read() } == "nothing was written")
    try backend.close()
  }

  @Test("are refused once the store is closed")
  func closed() throws {
    let folder = try TemporaryFolder()
    let backend = try open(folder, with: Fixtures.full)
    try backend.close()
    let error = #expect(throws: StoreError.self) {
      try backend.apply(MenuPatch(revision: 1))
    }
    #expect(error?.reason == "the store is closed")
  }
}

@Suite("A menu as entities")
struct MenuEntitiesTests {
  @Test("comes together again without a store")
  func roundTrip() throws {
    for (_, menu) in EntityMenus.all {
      let payload = try MenuEntities(menu)
      #expect(try Menu(payload).fingerprint == menu.fingerprint)
      #expect(payload.entities.map(\.key) == payload.entities.map(\.key).sorted())
      #expect(Set(payload.entities.map(\.key)).count == payload.entities.count)
      #expect(payload.holders == Set(payload.holders).sorted())
    }
  }

  @Test("has one entity a thing, and one for 64 translations")
  func counts() throws {
    let payload = try MenuEntities(EntityMenus.careless)
    let counts = Dictionary(grouping: payload.entities, by: \.key.kind).mapValues(\.count)
    #expect(
      counts == [
        .head: 1, .category: 5, .ingredient: 2, .modifierGroup: 2, .product: 4, .optionList: 2,
        .combo: 4, .storeOverrides: 1, .translations: 3,
      ])
  }

  @Test("is refused where an entity is missing, twice there or another's")
  func contradictions() throws {
    let whole = try MenuEntities(Fixtures.full)
    var payload = whole
    payload.entities.removeAll { $0.key.kind == .head }
    #expect(
      throws: StoreError(operation: "decode", path: "head", reason: "there is none")
    ) { try Menu(payload) }
    payload = whole
    payload.entities.removeAll { $0.key.id == 300 }
    #expect(
      throws: StoreError(
        operation: "decode", path: "product 100",
        reason: "it stands at position 1, where 0 is next")
    ) { try Menu(payload) }
    payload = whole
    for index in payload.entities.indices where payload.entities[index].key.kind == .combo {
      payload.entities[index].body.removeLast()
    }
    #expect(
      throws: StoreError(operation: "decode", path: "combo 12", reason: "it is cut short")
    ) { try Menu(payload) }
  }
}
