import Foundation
import MenuModel
import Testing

@testable import MenuSources

@Suite("The shape of your own menu")
struct MenuShapeOfMenuTests {
  /// Counts of both, and how the sizes of their JSON relate.
  private func expectLikeness(
    _ menu: Menu, _ shape: MenuShape, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let generated = Menu(shape: shape)
    #expect(generated.problems() == [], sourceLocation: sourceLocation)
    #expect(
      generated.counts.map { "\($0.count) \($0.of)" } == menu.counts.map { "\($0.count) \($0.of)" },
      sourceLocation: sourceLocation)
    let ratio =
      Double(try MenuFile.encode(generated).count) / Double(try MenuFile.encode(menu).count)
    #expect(abs(ratio - 1) <= 0.1, "\(ratio)", sourceLocation: sourceLocation)
  }

  private func otherTraits(of menu: Menu, than other: Menu) -> [String] {
    let (traits, others) = (menu.traits, other.traits)
    return MenuTrait.allCases.filter { traits[$0] != others[$0] }.map(\.rawValue)
  }

  @Test(
    "is the shape from which a generated menu was made",
    arguments: [
      "small", "medium", "large", "small:lists=repeated", "small:lists=repeated,embed=yes",
      "products=90,combos=6,slots=3,options=9,seed=90",
      "products=7,combos=0,slots=0,options=0,seed=7",
      "products=20,combos=5,slots=0,options=0,seed=20",
      "small:variants=19x1+8x3",
      "products=30,combos=4,slots=1x0+3x2,options=5x1+1x20,seed=30,details=7x0+10x200",
    ])
  func fixedPoint(text: String) throws {
    let menu = Menu(shape: try MenuShape(parsing: text))
    #expect(try MenuShape(of: menu).description == text)
  }

  @Test("has the counts and the size of a menu with another seed", arguments: UInt64(1)...4)
  func otherSeeds(seed: UInt64) throws {
    let menu = Menu(shape: MenuShape(.small).with(seed: seed))
    let shape = try MenuShape(of: menu)
    #expect(try MenuShape(parsing: shape.description) == shape)
    try expectLikeness(menu, shape)
    #expect(try MenuShape(of: Menu(shape: shape)) == shape)
  }

  @Test("has the counts, the size and the traits of the pizzeria")
  func pizzeria() throws {
    let menu = try MenuFile.load(path: ShippedFile.url("Datasets/pizzeria.json").path).menu
    let shape = try MenuShape(of: menu)
    try expectLikeness(menu, shape)
    #expect(try MenuShape(parsing: shape.description) == shape)
    #expect(otherTraits(of: Menu(shape: shape), than: menu) == ["ids", "pinned"])
  }

  @Test("contains no text and no id of the menu")
  func secrets() throws {
    var menu = Menu(shape: MenuShape(.small))
    menu.products[0].name = "Secret"
    menu.products[0].code = "classified"
    menu.city = "Hidden"
    let text = try MenuShape(of: menu).description.lowercased()
    #expect(!text.contains("secret") && !text.contains("classified") && !text.contains("hidden"))
    #expect(text.wholeMatch(of: /[a-z0-9=,:+]+/) != nil)
  }

  @Test("is refused for a menu without products")
  func empty() {
    let menu = Menu(id: 1, revision: 1, locale: "en", currency: "EUR", city: "")
    #expect(throws: MenuShapeError.emptyMenu) { try MenuShape(of: menu) }
  }

  @Test("gives a valid menu with the counts of a random menu", arguments: UInt64(1)...3)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<12 {
      var menu = Menu(
        shape: try MenuShape(
          products: random.within(1...40), combos: random.within(0...6), slotsPerCombo: 2,
          optionsPerSlot: 1, seed: random.next()))
      for index in menu.products.indices {
        menu.products[index].details = String(repeating: "é", count: random.below(300))
        if random.once(in: 3) {
          menu.products[index].variants.removeLast(menu.products[index].variants.count - 1)
        }
        menu.products[index].tags = (0..<random.below(12)).map { "t\($0)" }
        menu.products[index].ingredients.removeLast(
          random.below(menu.products[index].ingredients.count + 1))
      }
      menu.translations.removeLast(random.below(menu.translations.count))
      for list in menu.optionLists.indices {
        for option in menu.optionLists[list].options.indices {
          menu.optionLists[list].options[option].variantID = nil
        }
      }
      menu.stopList.removeAll()
      let shape = try MenuShape(of: menu)
      let generated = Menu(shape: shape)
      #expect(generated.problems() == [], "seed \(seed): \(shape)")
      #expect(
        generated.counts.map(\.count) == menu.counts.map(\.count), "seed \(seed): \(shape)")
      #expect(try MenuShape(of: generated) == shape, "seed \(seed)")
    }
  }
}
