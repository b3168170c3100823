import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The flat backend")
struct FlatBackendTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/menu.flat"
  }

  static let menus: [(name: String, menu: Menu)] =
    Fixtures.all + [
      ("tea", Fixtures.tea), ("contradictory", Fixtures.contradictory),
      ("generated", Menu(shape: MenuShape(.small))),
      (
        "repeated",
        Menu(shape: MenuShape(.small).with(lists: .repeated, optionProducts: .embedded))
      ),
    ]

  #if os(Linux)
    @Test("lets go of the file that it replaces while it writes", arguments: Durability.allCases)
    func mappings(durability: Durability) throws {
      func mapped() throws -> Int {
        // The system gives files of its own no length, so all of it is read to its end.
        let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
        return String(decoding: maps ?? Data(), as: UTF8.self)
          .split(separator: "\n").count { $0.contains(path) }
      }
      let backend = FlatBackend(folder.store(durability))
      try replace(Fixtures.full, in: backend)
      #expect(try restored(from: backend) == Fixtures.full)
      #expect(try mapped() > 0)
      try replace(Fixtures.bare, in: backend)
      #expect(try mapped() == 0)
      #expect(try restored(from: backend) == Fixtures.bare)
      try backend.apply(MenuPatch(revision: Fixtures.bare.revision + 1, prices: []))
      #expect(try mapped() == 0)
    }
  #endif

  @Test("keeps menus that contradict themselves")
  func contradictions() throws {
    let backend = FlatBackend(folder.store())
    for menu in [Fixtures.contradictory, Fixtures.tea] {
      try replace(menu, in: backend)
      let found = try restored(from: backend)
      #expect(found == menu)
      #expect(found.fingerprint == menu.fingerprint)
    }
  }

  @Test("keeps 300 drawn menus", arguments: 1...300)
  func drawn(seed: Int) throws {
    let menu = Fixtures.random(UInt64(seed))
    let backend = FlatBackend(folder.store(.none))
    let payload = try backend.encode(menu)
    let found = try backend.decode(payload)
    #expect(found.fingerprint == menu.fingerprint, "seed \(seed)")
    #expect(found == menu, "seed \(seed)")
    #expect(try backend.encode(found) == payload, "seed \(seed)")
    try backend.write(payload)
    try checkParts(of: menu, backend, "seed \(seed)")
  }

  @Test("reads products and combos as the menu has them", arguments: Durability.allCases)
  func parts(durability: Durability) throws {
    let backend = FlatBackend(folder.store(durability))
    for (name, menu) in Self.menus {
      try replace(menu, in: backend)
      try checkParts(of: menu, backend, name)
    }
  }

  private func checkParts(of menu: Menu, _ backend: FlatBackend, _ name: String) throws {
    for id in Set(menu.products.map(\.id) + [4_713, 0, .min, .max]) {
      #expect(try backend.product(id) == menu.product(id), "product \(id) of \(name)")
      let seen = try Checksum(seeing: { try backend.viewProduct(id, into: &$0) })
      #expect(seen == sum(menu.product(id)), "product \(id) of \(name) in place")
    }
    for id in Set(menu.combos.map(\.id) + [4_713, 0, .min, .max]) {
      #expect(try backend.combo(id) == menu.resolvedCombo(id), "combo \(id) of \(name)")
      let seen = try Checksum(seeing: { try backend.viewCombo(id, into: &$0) })
      #expect(seen == sum(menu.resolvedCombo(id)), "combo \(id) of \(name) in place")
    }
  }

  private func sum(_ part: (some MenuPart)?) -> Checksum? {
    guard let part else { return nil }
    var checksum = Checksum()
    part.visit(&checksum)
    return checksum
  }

  @Test("patches as the menu itself would", arguments: Durability.allCases)
  func patches(durability: Durability) throws {
    let backend = FlatBackend(folder.store(durability))
    let patch = MenuPatch(
      revision: -9,
      prices: [
        .init(variantID: 31, price: 7), .init(variantID: 33, price: 1),
        .init(variantID: 33, price: 2),
      ],
      availability: [
        .init(productID: 300, availability: .hidden),
        .init(productID: 100, availability: .available),
        .init(productID: 300, availability: .comboOnly),
      ])
    for menu in [Fixtures.full, Fixtures.embedding(Fixtures.full), Fixtures.contradictory] {
      try replace(menu, in: backend)
      try backend.apply(patch)
      var expected = menu
      try expected.apply(patch)
      #expect(try restored(from: backend).fingerprint == expected.fingerprint)
      try checkParts(of: expected, backend, "patched")
      #expect(try folder.files() == ["menu.flat"])
    }
  }

  @Test("leaves the menu as it was where a patch names what is not there")
  func unknownTargets() throws {
    let backend = FlatBackend(folder.store())
    // Product 4712 and variant 4714 are in a copy only, which differs from the product it names.
    var menu = Fixtures.full
    var copy = menu.products[0]
    copy.id = 4_712
    copy.variants[0].id = 4_714
    menu.optionLists[0].options[0].product = copy
    try replace(menu, in: backend)
    let price = MenuPatch.PriceChange(variantID: 31, price: 1)
    let change = MenuPatch.AvailabilityChange(productID: 4_712, availability: .hidden)
    let cases: [(MenuPatch, UnknownPatchTarget)] = [
      (
        MenuPatch(revision: 1, prices: [price, .init(variantID: 4_714, price: 1)]),
        UnknownPatchTarget(entity: .variant, id: 4_714)
      ),
      (
        MenuPatch(revision: 1, prices: [price], availability: [change]),
        UnknownPatchTarget(entity: .product, id: 4_712)
      ),
    ]
    for (patch, error) in cases {
      #expect(throws: error) { try backend.apply(patch) }
      var reference = menu
      #expect(throws: error) { try reference.apply(patch) }
    }
    #expect(try restored(from: backend) == menu)
  }

  @Test("keeps equal lists, copies and texts once")
  func keepsOnce() throws {
    let shape = MenuShape(.small)
    let shared = try encoded(Menu(shape: shape))
    let repeated = try encoded(
      Menu(shape: shape.with(lists: .repeated, optionProducts: .embedded)))
    #expect(repeated.options.count == shared.options.count)
    #expect(repeated.products.count == 81)
    #expect(repeated.variants.count == shared.variants.count)
    let tea = try encoded(Fixtures.tea)
    #expect(tea.products.count == 1)
    #expect(tea.textStarts.count - 1 == 7)
  }

  private func encoded(_ menu: Menu) throws -> FlatImage {
    let data = try FlatBackend(folder.store()).encode(menu)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 8)
    data.copyBytes(to: bytes)
    return try FlatImage(UnsafeRawBufferPointer(bytes), owner: Owner(bytes))
  }

  private final class Owner {
    private let bytes: UnsafeMutableRawBufferPointer
    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }
    deinit { bytes.deallocate() }
  }

  @Test(
    "reads the latest menu; what is held of an older one stays whole",
    arguments: Durability.allCases)
  func replacement(durability: Durability) throws {
    let writer = FlatBackend(folder.store(durability))
    try replace(Fixtures.full, in: writer)
    let reader = try #require(try writer.openReader() as? FlatBackend)
    let payload = try reader.read()
    try replace(Fixtures.tea, in: writer)
    #expect(try reader.decode(payload) == Fixtures.full)
    #expect(try reader.combo(12) == nil)
    #expect(try reader.combo(9) == Fixtures.tea.resolvedCombo(9))
    try reader.close()
    #expect(try reader.decode(payload) == Fixtures.full)
    try writer.close()
  }

  @Test("refuses a menu that the format cannot count")
  func limits() throws {
    #expect(try FlatLimit.checked(4_294_967_295, of: "tags") == 4_294_967_295)
    let limit = FlatLimit(name: "tags", count: 4_294_967_296)
    #expect(throws: limit) { try FlatLimit.checked(4_294_967_296, of: "tags") }
    #expect(
      limit.reason == "the menu has 4294967296 tags, the format counts to 4294967295")
  }
}

extension Checksum {
  /// That of a part looked at in place; nil where it is not there.
  init?(seeing view: (inout Checksum) throws -> Bool) rethrows {
    self.init()
    guard try view(&self) else { return nil }
  }
}
