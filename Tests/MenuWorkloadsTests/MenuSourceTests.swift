import BenchEngine
import MenuModel
import MenuSources
import MenuWorkloads
import Testing

@Suite("Menus from the command line")
struct MenuSourceTests {
  private let source = MenuSource()

  @Test(
    "An argument is split at commas, except within a shape",
    arguments: [
      ("large", ["large"]),
      ("small,large", ["small", "large"]),
      ("small,dir/menu.json", ["small", "dir/menu.json"]),
      (
        "small,products=5,combos=2,slots=4,options=3,menu.json",
        ["small", "products=5,combos=2,slots=4,options=3", "menu.json"]
      ),
      (
        "large:lists=repeated,embed=yes,small:seed=9,huge",
        ["large:lists=repeated,embed=yes", "small:seed=9", "huge"]
      ),
      (
        "products=5,combos=2,slots=4,options=3,products=9,combos=2,seed=1",
        ["products=5,combos=2,slots=4,options=3", "products=9,combos=2,seed=1"]
      ),
      ("small,,large", ["small", "", "large"]),
    ])
  func split(_ argument: String, _ names: [String]) throws {
    #expect(try source.split(argument) == names)
  }

  @Test(
    "A shape larger than any real menu is called a stress test",
    arguments: [
      ("small", false), ("large", false), ("large:lists=repeated", false), ("huge", true),
      ("large:lists=repeated,embed=yes", true),
      ("products=1001,combos=1,slots=1,options=1", true),
      ("products=1000,combos=12000,slots=1,options=1", true),
    ])
  func stressTest(_ name: String, _ isStressTest: Bool) throws {
    #expect(
      try source.load(name).notes
        == (isStressTest ? ["a stress test: no store's menu is this large"] : []))
  }

  @Test("A preset gives its menu, with the typed name and its shape")
  func preset() throws {
    let loaded = try source.load("small")
    #expect(loaded.name == "small")
    #expect(loaded.document == Menu(shape: MenuShape(.small)))
    #expect(loaded.origin == "generated: \(MenuShape(.small))")
  }
}
