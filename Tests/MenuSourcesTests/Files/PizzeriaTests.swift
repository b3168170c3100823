import Foundation
import MenuModel
import MenuSources
import Testing

@Suite("The pizzeria of the project")
struct PizzeriaTests {
  static let path = ShippedFile.url("Datasets/pizzeria.json").path
  static let script = ShippedFile.url("Datasets/make-pizzeria.py").path
  static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let menu: Menu

  init() throws {
    menu = try MenuFile.load(path: Self.path).menu
  }

  @Test("it is this menu and no other")
  func fingerprint() {
    #expect(menu.fingerprint.description == "98284b0bd184f3f8")
  }

  @Test("it has a real store's products")
  func products() {
    let byKind = Dictionary(grouping: menu.products, by: \.kind).mapValues(\.count)
    #expect(byKind == [.pizza: 25, .snack: 16, .drink: 22, .dessert: 18])
    let pizzas = menu.products.filter { $0.kind == .pizza }
    #expect(pizzas.flatMap(\.variants).count == 73)
    #expect(menu.products.flatMap(\.variants).count { $0.nutrition != nil } == 121)
    #expect(menu.ingredients.count == 39)
    #expect(menu.modifierGroups.map(\.options.count) == [20])
    #expect(menu.translations.count == 164)
  }

  @Test("its combos have many slots that share few lists")
  func combos() {
    let slots = menu.combos.flatMap(\.slots)
    let options = slots.map(menu.options(of:))
    #expect(menu.combos.map(\.slots.count) == [7, 5, 4, 4, 3, 3, 3, 2])
    #expect(options.map(\.count).reduce(0, +) == 560)
    #expect(Set(options).count == 7)
    #expect(Set(options.joined().map(\.productID)).count == 29)
    #expect(Set(options.map(\.count)) == [4, 5, 22])
    #expect(menu.combos[0].slots.map(menu.options(of:)).joined().count == 154)
  }

  @Test("it is equal to the output of MenuFile.encode, byte for byte")
  func canonical() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.path))
    #expect(try MenuFile.encode(menu) == bytes)
  }

  @Test(
    "its script writes it byte for byte",
    .enabled(if: python != nil, "the script needs python3, which is not installed"))
  func script() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [Self.script, "--print"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let written = try output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(written == (try Data(contentsOf: URL(fileURLWithPath: Self.path))))
  }
}
