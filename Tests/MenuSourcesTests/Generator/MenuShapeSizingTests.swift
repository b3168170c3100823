import MenuModel
import MenuSources
import Testing

@Suite("A shape can have about a given number of slot options")
struct MenuShapeSizingTests {
  @Test(
    "Products keep their share, and the options are as close as whole combos allow",
    arguments: [
      ("large", 12_000, "large"),
      ("large", 100_000, "products=8333,combos=1250,slots=4,options=20,seed=1000"),
      ("large", 1_000, "products=83,combos=13,slots=4,options=19,seed=1000"),
      ("large", 100, "products=8,combos=3,slots=4,options=8,seed=1000"),
      ("large", 1, "products=1,combos=1,slots=1,options=1,seed=1000"),
      (
        "small:lists=repeated,embed=yes,seed=7", 5_600,
        "products=810,combos=78,slots=4,options=18,seed=7,lists=repeated,embed=yes"
      ),
    ])
  func sized(_ shape: String, _ options: Int, _ expected: String) throws {
    #expect(try MenuShape(parsing: shape).sized(options: options)?.description == expected)
  }

  @Test(
    "From 100 to beyond huge, every size is within an eighth, and a menu has the shape's counts")
  func near() throws {
    for preset in MenuShape.Preset.allCases {
      for wanted in [100, 333, 1_000, 7_777, 50_000, 300_000] {
        let shape = try #require(MenuShape(preset).sized(options: wanted))
        #expect(abs(Double(shape.options) / Double(wanted) - 1) < 0.125, "\(preset) \(wanted)")
      }
    }
    let menu = Menu(shape: try #require(MenuShape(.large).sized(options: 100)))
    #expect(menu.counts.first { $0.of == "slot options" }?.count == 96)
    try menu.validate()
  }

  @Test("If no shape is that large, or the size is 0, there is none")
  func none() throws {
    #expect(MenuShape(.large).sized(options: 0) == nil)
    #expect(MenuShape(.large).sized(options: 100_000_000) == nil)
    let lean = try MenuShape(parsing: "products=1000000,combos=1,slots=1,options=1")
    #expect(lean.sized(options: 1_000_000) == nil)
  }
}
