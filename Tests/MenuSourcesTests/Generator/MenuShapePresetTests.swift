import MenuModel
import MenuSources
import Testing

struct MenuShapePresetTests {
  typealias Counts = (
    preset: MenuShape.Preset, products: Int, combos: Int, slots: Int, options: Int, lists: Int
  )

  @Test(
    "A preset's menu has exactly the preset's counts",
    arguments: [
      (.small, 81, 8, 31, 560, 7), (.medium, 300, 40, 160, 3_000, 15),
      (.large, 1_000, 150, 600, 12_000, 30), (.huge, 5_000, 500, 2_000, 80_000, 56),
    ] as [Counts])
  func counts(expected: Counts) {
    let shape = MenuShape(expected.preset)
    #expect(shape.optionLists == expected.lists)
    let counts = Dictionary(
      uniqueKeysWithValues: Menu(shape: shape).counts.map { ($0.of, $0.count) })
    #expect(counts["products"] == expected.products)
    #expect(counts["combos"] == expected.combos)
    #expect(counts["slots"] == expected.slots)
    #expect(counts["slot options"] == expected.options)
    #expect(counts["option lists"] == expected.lists)
  }

  @Test("A preset's seed is its number of products", arguments: MenuShape.Preset.allCases)
  func seed(preset: MenuShape.Preset) {
    let shape = MenuShape(preset)
    #expect(shape.seed == UInt64(shape.products))
    #expect(shape.preset == preset)
    #expect(preset.reason.contains("\(shape.products)"))
  }

  @Test("A preset has a summary in one line")
  func summary() {
    #expect(
      MenuShape.Preset.small.summary
        == "a real store: 81 products, 8 combos, 31 slots, 560 slot options")
    #expect(
      MenuShape.Preset.small.reason
        == "The seed is the number of products, 81. It was not picked for the menu that it gives.")
  }
}
