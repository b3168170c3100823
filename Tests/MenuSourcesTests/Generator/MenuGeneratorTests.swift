import MenuModel
import MenuSources
import Testing

struct MenuGeneratorTests {
  @Test(
    "A shape gives the same menu as when it was published",
    arguments: [
      ("small", "8b54aad0283a963e"), ("medium", "873ca7bc9f30d1c1"), ("large", "3fd10136106ae304"),
      ("huge", "9fb0597309784760"),
      ("small:lists=repeated", "c727e37d4df5f022"), ("small:embed=yes", "8ff4ad364a6720eb"),
      ("small:lists=repeated,embed=yes", "8003780da8dc1ccc"), ("small:seed=82", "585fbcab831c5829"),
    ])
  func fingerprint(shape: String, fingerprint: String) throws {
    let menu = Menu(shape: try MenuShape(parsing: shape))
    #expect(menu.fingerprint.description == fingerprint)
  }

  @Test("A menu is the same when it is generated again", arguments: MenuShape.Preset.allCases)
  func twice(preset: MenuShape.Preset) {
    #expect(Menu(shape: MenuShape(preset)) == Menu(shape: MenuShape(preset)))
  }

  @Test("Another seed gives another menu with the same counts")
  func otherSeed() {
    let menus = (0..<20).map { Menu(shape: MenuShape(.small).with(seed: $0)) }
    #expect(Set(menus.map(\.fingerprint)).count == 20)
    for menu in menus {
      #expect(menu.counts.map(\.count) == menus[0].counts.map(\.count))
    }
  }

  @Test(
    "Every preset's menu is valid with both settings",
    arguments: MenuShape.Preset.allCases, MenuShape.Lists.allCases)
  func valid(preset: MenuShape.Preset, lists: MenuShape.Lists) {
    for optionProducts in MenuShape.OptionProducts.allCases {
      let shape = MenuShape(preset).with(lists: lists, optionProducts: optionProducts)
      #expect(Menu(shape: shape).problems() == [], "\(shape)")
    }
  }

  @Test("A random small shape gives a valid menu with its counts", arguments: UInt64(1)...4)
  func randomShapes(seed: UInt64) throws {
    var random = RandomShapes(seed)
    for _ in 0..<40 {
      let shape = try random.shape(products: 1...120, combos: 1...12, slots: 8, options: 60)
      let menu = Menu(shape: shape)
      #expect(menu.problems() == [], "seed \(seed): \(shape)")
      let slots = menu.combos.flatMap(\.slots)
      let resolver = SlotResolver(menu)
      let lists = slots.map { resolver.options(of: $0) }
      let content = lists.map { $0.map { [$0.productID, $0.surcharge] } }
      #expect(menu.products.count == shape.products, "seed \(seed): \(shape)")
      #expect(menu.combos.count == shape.combos, "seed \(seed): \(shape)")
      #expect(slots.count == shape.slots, "seed \(seed): \(shape)")
      #expect(lists.reduce(0) { $0 + $1.count } == shape.options, "seed \(seed): \(shape)")
      #expect(Set(content).count == shape.optionLists, "seed \(seed): \(shape)")
      for list in lists {
        #expect(Set(list.map(\.productID)).count == list.count, "seed \(seed): \(shape)")
      }
    }
  }

  @Test("The settings change how options are stored, never which options there are")
  func knobs() throws {
    let shared = Menu(shape: MenuShape(.medium))
    let repeated = Menu(shape: MenuShape(.medium).with(lists: .repeated))
    let embedded = Menu(shape: MenuShape(.medium).with(optionProducts: .embedded))
    #expect(repeated.optionLists.isEmpty)
    #expect(repeated.products == shared.products)
    #expect(embedded.products == shared.products)
    let slots = [shared, repeated].map { $0.combos.flatMap(\.slots) }
    #expect(slots.map(\.count) == [160, 160])
    for (one, other) in zip(slots[0], slots[1]) {
      #expect(one.options == nil)
      #expect(other.optionListID == nil)
      #expect(shared.options(of: one) == other.options)
      #expect(one.defaultProductID == other.defaultProductID)
    }
    #expect([shared, embedded].map(\.optionLists.count) == [15, 15])
    for list in embedded.optionLists {
      for option in list.options {
        #expect(option.product?.id == option.productID)
      }
    }
  }

  @Test("No id occurs twice, not even for things of different kinds")
  func ids() {
    let menu = Menu(shape: MenuShape(.large))
    let groups = menu.categories.map(\.id) + menu.ingredients.map(\.id)
    let products = menu.products.map(\.id) + menu.products.flatMap { $0.variants.map(\.id) }
    let combos = menu.combos.map(\.id) + menu.combos.flatMap { $0.slots.map(\.id) }
    let ids =
      groups + menu.modifierGroups.map(\.id) + products + menu.optionLists.map(\.id) + combos
    #expect(Set(ids).count == ids.count)
  }
}
