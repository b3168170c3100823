import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The object-graph backends")
struct ObjectGraphBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func texts(_ sql: String) throws -> [String] {
    let connection = try CConnection(path: folder.path + "/objects.sqlite")
    defer { connection.close() }
    return try connection.texts(sql)
  }

  @Test(
    "read and replace each other's menus",
    arguments: [(ObjectAccess.faulting, ObjectAccess.prefetching), (.prefetching, .faulting)])
  func shareAStore(first: ObjectAccess, second: ObjectAccess) throws {
    let writer = try ObjectBackend(folder.store(), first)
    let reader = try ObjectBackend(folder.store(), second)
    for menu in Fixtures.all.map(\.menu) + Fixtures.all.map(\.menu).reversed() {
      try replace(menu, in: writer)
      #expect(try restored(from: reader).fingerprint == menu.fingerprint)
      #expect(try restored(from: writer).fingerprint == menu.fingerprint)
    }
    try replace(Fixtures.full, in: reader)
    #expect(try restored(from: writer) == Fixtures.full)
    try writer.close()
    try reader.close()
  }

  @Test("return the payload written last, whatever was there", arguments: ObjectAccess.both)
  func payload(access: ObjectAccess) throws {
    let backend = try ObjectBackend(folder.store(.none), access)
    for menu in Fixtures.all.map(\.menu) + Fixtures.all.map(\.menu).reversed() {
      let written = try backend.encode(menu)
      try backend.write(written)
      #expect(try backend.read() == written)
    }
    try backend.close()
  }

  @Test("keep an embedded copy that differs from the menu's product", arguments: ObjectAccess.both)
  func differingCopies(access: ObjectAccess) throws {
    var menu = Fixtures.embedding(Fixtures.full)
    menu.combos[0].slots[1].options?[0].product?.name = "Cola"
    menu.combos[0].slots[1].options?[1].product?.id = 12_345
    menu.optionLists[0].options[0].product?.variants[0].nutrition?.whole.fats = -0.0
    let backend = try ObjectBackend(folder.store(), access)
    try replace(menu, in: backend)
    #expect(try restored(from: backend) == menu)
    #expect(try restored(from: backend).fingerprint == menu.fingerprint)
    #expect(try backend.product(100) == menu.product(100))
    try backend.close()
  }

  @Test("keep the menu if the new one has two things with one id", arguments: ObjectAccess.both)
  func twoOfOneID(access: ObjectAccess) throws {
    let backend = try ObjectBackend(folder.store(), access)
    try replace(Fixtures.full, in: backend)
    let path = folder.path + "/objects.sqlite"
    for twice in [Fixtures.full.combos[0], Combo(Fixtures.full.combos[0], id: 99)] {
      var menu = Fixtures.full
      menu.combos += [twice, twice]
      let error = #expect(throws: StoreError.self) { try replace(menu, in: backend) }
      #expect(error?.operation == "write")
      #expect(error?.path == path)
      let reasons = [
        "UNIQUE constraint failed: combo.id, combo.owner (SQLite 2067)",
        "there are two combo objects with the id 12",
      ]
      #expect(reasons.contains(error?.reason ?? ""))
      #expect(try restored(from: backend) == Fixtures.full)
    }
    try backend.close()
  }

  @Test("refuse a menu that refers to missing things")
  func danglingReference() throws {
    let backend = try ObjectBackend(folder.store(), .prefetching)
    var menu = Fixtures.full
    menu.combos[0].slots[0].defaultProductID = 4_711
    #expect(
      throws: StoreError(
        operation: "encode", path: "menu",
        reason: "product 4711 is referred to but not in the menu")
    ) { try backend.encode(menu) }
    try backend.close()
  }

  @Test("count 8 bytes for a number, the UTF-8 of a text, and nothing for NULL")
  func payloadSize() throws {
    let backend = try ObjectBackend(folder.store(), .prefetching)
    var menu = Fixtures.bare
    // Key, id, owner and revision.
    #expect(backend.size(of: try backend.encode(menu)) == .bytes(4 * 8))
    menu.city = "Уфа"
    menu.categories = [Category(id: 1, name: "é")]
    // The category's key, id and owner, and the link's source, position and target.
    #expect(backend.size(of: try backend.encode(menu)) == .bytes(10 * 8 + 6 + 2))
    try backend.close()
  }

  @Test("keep the key of an object that find or create finds, and delete removed objects")
  func identity() throws {
    let backend = try ObjectBackend(folder.store(.none), .faulting)
    try replace(Fixtures.full, in: backend)
    let before = try texts("SELECT pk || ' ' || id || ' ' || name FROM product ORDER BY pk")
    #expect(before == ["1 300 Пепперони", "2 100 Кола", "3 200 Маргарита"])
    var menu = Fixtures.full
    menu.products.reverse()
    menu.products[0].name = "Margherita"
    menu.products.insert(Product(copyOf: menu.products[1], id: 5, variant: 77), at: 0)
    menu.combos.removeAll { $0.id == 12 }
    menu.optionLists[0].options[0].variantID = nil
    menu.products[3].variants.removeLast()
    try replace(menu, in: backend)
    #expect(try restored(from: backend) == menu)
    #expect(
      try texts("SELECT pk || ' ' || id || ' ' || name FROM product ORDER BY pk") == [
        "1 300 Пепперони", "2 100 Кола", "3 200 Margherita", "4 5 Кола",
      ])
    #expect(try texts("SELECT id FROM variant ORDER BY id") == ["1", "32", "33", "77"])
    #expect(try texts("SELECT id FROM combo ORDER BY id") == ["11", "15"])
    #expect(try texts("SELECT count(*) FROM combo_slots") == ["3"])
    try backend.close()
  }
}

extension ObjectAccess {
  static let both: [ObjectAccess] = [.prefetching, .faulting]
}

extension Combo {
  fileprivate init(_ combo: Combo, id: Int) {
    self = combo
    self.id = id
    slots = []
  }
}

extension Product {
  fileprivate init(copyOf product: Product, id: Int, variant: Int) {
    self = product
    self.id = id
    variants[0].id = variant
  }
}
