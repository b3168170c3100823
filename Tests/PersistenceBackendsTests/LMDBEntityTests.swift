import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends

@Suite("The lmdb backend's entities")
struct LMDBEntityTests {
  @Test("are found by a second patch through the changes of the first")
  func patchesTwice() throws {
    let folder = try TemporaryFolder()
    var menu = Fixtures.embedding(Fixtures.full)
    let backend = try LMDBBackend(folder.store())
    try replace(menu, in: backend)
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
}

@Suite("A menu as entities")
struct MenuEntitiesTests {
  @Test("is rebuilt without a store")
  func roundTrip() throws {
    for menu in Fixtures.all.map(\.menu) + [Fixtures.careless] {
      let payload = try MenuEntities(menu)
      #expect(try Menu(payload).fingerprint == menu.fingerprint)
      #expect(payload.entities.map(\.key) == payload.entities.map(\.key).sorted())
      #expect(Set(payload.entities.map(\.key)).count == payload.entities.count)
      #expect(payload.holders == Set(payload.holders).sorted())
    }
  }

  @Test("has one entity for each thing, and one for 64 translations")
  func counts() throws {
    let payload = try MenuEntities(Fixtures.careless)
    let counts = Dictionary(grouping: payload.entities, by: \.key.kind).mapValues(\.count)
    #expect(
      counts == [
        .head: 1, .category: 5, .ingredient: 2, .modifierGroup: 2, .product: 4, .optionList: 2,
        .combo: 4, .storeOverrides: 1, .translations: 3,
      ])
  }

  @Test("is refused if an entity is missing, doubled or another's")
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
        reason: "it is at position 1, but 0 is next")
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
