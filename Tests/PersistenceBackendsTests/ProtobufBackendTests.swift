import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import ProtobufBackends

@Suite("protobuf")
struct ProtobufBackendTests {
  private let backend = ProtobufCodec()

  @Test("writes the fields in the order of their numbers, the schema's last")
  func bytes() throws {
    #expect(Array(try backend.encode(Fixtures.bare)) == [0x08, 1] + Wire.schema(2))
  }

  @Test("distinguishes a zero or empty optional from an absent one")
  func presence() throws {
    var menu = Fixtures.bare
    menu.categories = [Category(id: 2, parentID: 0, name: ""), Category(id: 2, name: "")]
    menu.ingredients = [Ingredient(id: 0, code: "", name: ""), Ingredient(id: 0, name: "")]
    let categories = Wire.field(6, [0x08, 2, 0x10, 0]) + Wire.field(6, [0x08, 2])
    let ingredients = Wire.field(7, [0x12, 0]) + Wire.field(7, [])
    let expected = [0x08, 1] + categories + ingredients + Wire.schema(2)
    #expect(Array(try backend.encode(menu)) == expected)
    #expect(try backend.decode(Data(expected)) == menu)
  }

  @Test("skips a field that only a newer program knows, at any depth")
  func unknownFields() throws {
    let extra: [UInt8] = [0xA0, 0x1F, 1]
    func menu(_ fields: [UInt8]) throws -> Menu {
      try backend.decode(Data(fields + Wire.schema(2)))
    }
    #expect(try menu(extra) == menu([]))
    let option: [UInt8] = [0x08, 5]
    for number in [6, 7, 8, 10, 11] {
      #expect(try menu(Wire.field(number, option + extra)) == menu(Wire.field(number, option)))
    }
    let product: [UInt8] = [0x08, 5, 0x20, 1, 0x40, 1]
    let facts = Wire.field(1, []) + Wire.field(2, [])
    func nutritious(_ facts: [UInt8]) -> [UInt8] {
      Wire.field(9, product + Wire.field(9, Wire.field(9, facts)))
    }
    #expect(try menu(Wire.field(9, product + extra)) == menu(Wire.field(9, product)))
    #expect(
      try menu(nutritious(Wire.field(1, extra) + Wire.field(2, []))) == menu(nutritious(facts)))
  }

  @Test("reads the data of older programs: no kind, a label, an amount")
  func older() throws {
    let dough = Wire.field(9, [0x08, 7] + Wire.field(4, []))
    let amount = [0x51] + withUnsafeBytes(of: 5.89.bitPattern.littleEndian, Array.init)
    let label = Wire.field(12, Array("a: b: c".utf8))
    let fields =
      Wire.field(9, [0x08, 1, 0x40, 1] + label + dough)
      + Wire.field(9, [0x08, 2, 0x40, 1] + Wire.field(9, [0x08, 8] + amount))
    let menu = try backend.decode(Data(fields + Wire.schema(1)))
    #expect(menu.products.map(\.kind) == [.pizza, .other])
    #expect(menu.products.map(\.name) == ["a", ""])
    #expect(menu.products.map(\.details) == ["b: c", ""])
    #expect(menu.products.map { $0.variants.map(\.price) } == [[0], [589]])
  }

  @Test("keeps the bits of numbers that equal another or are not equal to themselves")
  func doubles() throws {
    let values: [Double] = [0, -0.0, .nan, Double(nan: 5, signaling: false), .infinity]
    for value in values {
      let read = try backend.decode(backend.encode(menu(energy: value)))
      let energy = read.products[0].variants[0].nutrition?.whole.energy
      #expect(energy?.bitPattern == value.bitPattern)
    }
  }

  @Test("distinguishes a slot's empty list from none, also with a shared list")
  func ownOptions() throws {
    var menu = Fixtures.bare
    let slots = [
      Slot(id: 1, name: "", min: 0, max: 0), Slot(id: 2, name: "", min: 0, max: 0, options: []),
      Slot(id: 3, name: "", min: 0, max: 0, optionListID: 0, options: []),
    ]
    menu.combos = [Combo(id: 1, name: "", details: "", price: 0, image: "", slots: slots)]
    #expect(try backend.decode(backend.encode(menu)) == menu)
  }

  @Test("takes less space than json", arguments: Fixtures.all.map(\.name))
  func size(name: String) throws {
    let menu = try #require(Fixtures.all.first { $0.name == name }).menu
    let json = try JSONCodec().encode(menu).count
    #expect(try backend.encode(menu).count < json)
  }

  @Test("refuses to encode a menu of 2 GiB")
  func limit() throws {
    // One text, shared: the message is refused by its size before any memory is taken for it.
    var menu = menu(energy: 0)
    menu.products[0].tags = Array(repeating: String(repeating: "a", count: 1 << 20), count: 2_048)
    let stored = try BackendEntry<Menu>.protobuf
      .open(StoreContext(folder: "store", durability: .none))
    let error = #expect(throws: StoreError.self) { try stored.put(menu) }
    #expect(
      error?.description
        == "encode store/menu.pb: the menu is too large: a protobuf message holds less than 2 GiB")
  }

  private func menu(energy: Double) -> Menu {
    let facts = NutritionFacts(energy: energy, proteins: 0, fats: 0, carbohydrates: 0)
    let variant = Variant(
      id: 1, size: "", price: 0, image: "", nutrition: Nutrition(per100g: facts, whole: facts))
    var menu = Fixtures.bare
    menu.products = [
      Product(id: 1, categoryID: 1, kind: .other, name: "", details: "", variants: [variant])
    ]
    return menu
  }
}
