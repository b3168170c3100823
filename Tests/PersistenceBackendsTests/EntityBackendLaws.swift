import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

/// A backend that keeps a menu as entities, with every route of its own.
typealias EntityBackend = ComboReading & ConcurrentReading & MenuPatching & ProductReading

/// Opens one of the backends that keep entities.
enum EntityStores: String, CaseIterable, Sendable {
  case document = "sqlite-document"
  case lmdb

  func open(_ store: StoreContext) throws -> any EntityBackend {
    switch self {
    case .document: try SQLiteDocumentBackend(store)
    case .lmdb: try LMDBBackend(store, .protobuf())
    }
  }

  /// Opens a store of a folder's and puts a menu into it.
  func open(_ folder: TemporaryFolder, with menu: Menu) throws -> any EntityBackend {
    let backend = try open(folder.store())
    try replace(menu, in: backend)
    return backend
  }
}

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

@Suite("A backend of entities")
struct EntityBackendTests {
  @Test("keeps menus that break every rule of ids", arguments: EntityStores.allCases)
  func careless(kind: EntityStores) throws {
    let folder = try TemporaryFolder()
    let backend = try kind.open(folder, with: EntityMenus.careless)
    #expect(try restored(from: backend) == EntityMenus.careless)
    #expect(try restored(from: backend).fingerprint == EntityMenus.careless.fingerprint)
    try backend.close()
  }

  @Test("reads every product as the whole menu has it", arguments: EntityStores.allCases)
  func products(kind: EntityStores) throws {
    for (_, menu) in EntityMenus.all {
      let folder = try TemporaryFolder()
      try check(try kind.open(folder, with: menu), menu)
    }
  }

  private func check(_ backend: some EntityBackend, _ menu: Menu) throws {
    for id in Set(menu.products.map(\.id) + [-7]) {
      #expect(try backend.product(id) == menu.product(id))
    }
    for id in Set(menu.combos.map(\.id) + [-7]) {
      #expect(try backend.combo(id) == menu.resolvedCombo(id))
    }
    try backend.close()
  }

  @Test("changes nothing but what a patch names", arguments: EntityStores.allCases)
  func patches(kind: EntityStores) throws {
    for (_, menu) in EntityMenus.all {
      let folder = try TemporaryFolder()
      let backend = try kind.open(folder, with: menu)
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

  @Test("finds what a second patch names after a first", arguments: EntityStores.allCases)
  func patchesTwice(kind: EntityStores) throws {
    let folder = try TemporaryFolder()
    var menu = Fixtures.embedding(Fixtures.full)
    let backend = try kind.open(folder, with: menu)
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

  @Test("is left as it was by a patch of something unknown", arguments: EntityStores.allCases)
  func unknownTargets(kind: EntityStores) throws {
    let folder = try TemporaryFolder()
    var menu = Fixtures.embedding(Fixtures.full)
    menu.combos[0].slots[1].options?[0].product?.variants[0].id = 777
    let backend = try kind.open(folder, with: menu)
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

  @Test("says of parts, too, that nothing was written", arguments: EntityStores.allCases)
  func nothingWritten(kind: EntityStores) throws {
    let folder = try TemporaryFolder()
    try checkEmpty(try kind.open(folder.store()))
  }

  private func checkEmpty(_ backend: some EntityBackend) throws {
    func failure(_ body: () throws -> Void) -> String? {
      #expect(throws: StoreError.self, performing: body)?.reason
    }
    #expect(failure { _ = try backend.product(1) } == "nothing was written")
    #expect(failure { _ = try backend.combo(1) } == "nothing was written")
    #expect(failure { try backend.apply(MenuPatch(revision: 1)) } == "nothing was written")
    #expect(failure { _ = try backend.read() } == "nothing was written")
    try backend.close()
  }

  @Test("shows readers whole menus only", arguments: EntityStores.allCases, Durability.allCases)
  func concurrentReaders(kind: EntityStores, durability: Durability) async throws {
    let folder = try TemporaryFolder()
    let backend = try kind.open(folder.store(durability))
    let menus = [Fixtures.embedding(Fixtures.full), Fixtures.oddTexts]
    try replace(menus[0], in: backend)
    let opened = Unchecked(value: try backend.openReader())
    let reading = Task.detached {
      let reader = opened.value
      defer { try? reader.close() }
      return try (0..<40).map { _ in try restored(from: reader).fingerprint }
    }
    for turn in 1...40 { try replace(menus[turn % 2], in: backend) }
    let seen = try await reading.value
    #expect(Set(seen).subtracting(menus.map(\.fingerprint)) == [])
    #expect(seen.count == 40)
    try backend.close()
  }

  @Test("refuses everything once it is closed", arguments: EntityStores.allCases)
  func closed(kind: EntityStores) throws {
    let folder = try TemporaryFolder()
    let backend = try kind.open(folder, with: Fixtures.full)
    try backend.close()
    let error = #expect(throws: StoreError.self) {
      try backend.apply(MenuPatch(revision: 1))
    }
    #expect(error?.reason == "the store is closed")
  }
}

/// Hands a value to one other thread.
private struct Unchecked<Value>: @unchecked Sendable { let value: Value }

@Suite("A menu as entities")
struct MenuEntitiesTests {
  private let coder = EntityCoder.json()

  @Test("comes together again without a store")
  func roundTrip() throws {
    for (_, menu) in EntityMenus.all {
      let payload = try MenuEntities(menu, coder)
      #expect(try Menu(payload, coder).fingerprint == menu.fingerprint)
      #expect(payload.entities.map(\.key) == payload.entities.map(\.key).sorted())
      #expect(Set(payload.entities.map(\.key)).count == payload.entities.count)
      #expect(payload.holders == Set(payload.holders).sorted())
    }
  }

  @Test("has one entity a thing, and one for 64 translations")
  func counts() throws {
    let payload = try MenuEntities(EntityMenus.careless, coder)
    let counts = Dictionary(grouping: payload.entities, by: \.key.kind).mapValues(\.count)
    #expect(
      counts == [
        .head: 1, .category: 5, .ingredient: 2, .modifierGroup: 2, .product: 4, .optionList: 2,
        .combo: 4, .storeOverrides: 1, .translations: 3,
      ])
  }

  @Test("is refused where an entity is missing, twice there or another's")
  func contradictions() throws {
    let whole = try MenuEntities(Fixtures.full, coder)
    var payload = whole
    payload.entities.removeAll { $0.key.kind == .head }
    #expect(
      throws: StoreError(operation: "decode", path: "head", reason: "there is none")
    ) { try Menu(payload, coder) }
    payload = whole
    payload.entities.removeAll { $0.key.id == 300 }
    #expect(
      throws: StoreError(
        operation: "decode", path: "product 100",
        reason: "it stands at position 1, where 0 is next")
    ) { try Menu(payload, coder) }
    payload = whole
    for index in payload.entities.indices where payload.entities[index].key.kind == .combo {
      payload.entities[index].body = Data("{\"id\":1".utf8)
    }
    let error = #expect(throws: StoreError.self) { try Menu(payload, coder) }
    #expect(error?.operation == "decode")
    #expect(error?.path == "combo 12")
    #expect(error?.reason == "it is damaged, or holds a number that cannot stand there")
  }

  @Test("is refused where JSON has no way to write a number")
  func notANumber() throws {
    var menu = Fixtures.full
    menu.products[0].variants[0].nutrition?.whole.fats = .nan
    let error = #expect(throws: StoreError.self) { try MenuEntities(menu, coder) }
    #expect(error?.operation == "encode")
    #expect(error?.path == "product 300")
  }
}
