/// The shape of a generated menu: its counts, its repetition and the seed of its content.
///
/// Equal shapes give byte-identical menus in every process and on every platform. A shape is a
/// preset, a preset with changes, or given by its counts. Each has a text form (``description``)
/// that ``init(parsing:)`` reads back.
package struct MenuShape: Hashable, Sendable {
  /// The number of products, a third of them pizzas.
  package let products: Int
  /// The number of combos.
  package let combos: Int
  /// The number of slots of all combos.
  package let slots: Int
  /// The number of slot options, counted in every slot that shows them.
  package let options: Int
  /// Whether slots with equal options share one list.
  package private(set) var lists = Lists.shared
  /// Whether a slot option refers to its product or embeds a copy.
  package private(set) var optionProducts = OptionProducts.referenced
  /// The traits of the menu beyond its counts. The counts alone determine all other traits.
  package private(set) var spreads: [MenuTrait: Spread] = [:]
  /// The seed of the content. Another seed gives another menu with the same counts.
  package let seed: UInt64

  /// How slots with equal options store them.
  package enum Lists: String, CaseIterable, Sendable {
    /// Once, in ``Menu/optionLists``.
    case shared
    /// Once in every slot.
    case repeated
  }

  /// How a slot option refers to its product.
  package enum OptionProducts: String, CaseIterable, Sendable {
    /// By id.
    case referenced
    /// By id, with an additional copy of the product.
    case embedded
  }

  /// The number of different option lists.
  ///
  /// The 31 slots of a real store had 7. The number grows with the square root of the slots.
  package var optionLists: Int { OptionPlan(self).lists }
}

extension MenuShape {
  /// The shapes that have names.
  package enum Preset: String, CaseIterable, Sendable {
    /// One real store.
    case small
    /// A chain's menu with the products of several cities.
    case medium
    /// The menu that published figures are measured with.
    case large
    /// A stress test, larger than the range of any store.
    case huge

    /// One line with the meaning and the counts.
    package var summary: String {
      let shape = MenuShape(self)
      return "\(title): \(shape.products) products, \(shape.combos) combos, "
        + "\(shape.slots) slots, \(shape.options) slot options"
    }

    /// The reason for the choice of the seed.
    package var reason: String {
      "The seed is the number of products, \(MenuShape(self).products). "
        + "It was not picked for the menu that it gives."
    }

    private var title: String {
      switch self {
      case .small: "a real store"
      case .medium: "a chain in several cities"
      case .large: "a big chain, as in README"
      case .huge: "a stress test"
      }
    }
  }

  /// Creates the shape of a preset, with shared lists, referenced products and the preset's seed.
  package init(_ preset: Preset) {
    switch preset {
    case .small: self.init(products: 81, combos: 8, slots: 31, options: 560, seed: 81)
    case .medium: self.init(products: 300, combos: 40, slots: 160, options: 3_000, seed: 300)
    case .large: self.init(products: 1_000, combos: 150, slots: 600, options: 12_000, seed: 1_000)
    case .huge:
      self.init(products: 5_000, combos: 500, slots: 2_000, options: 80_000, seed: 5_000)
    }
  }

  /// The preset with these counts, or nil. Seed, lists and embedding may differ from the preset.
  package var preset: Preset? {
    guard spreads[.slots] == nil, spreads[.options] == nil else { return nil }
    return Preset.allCases.first { preset in
      let shape = MenuShape(preset)
      return (shape.products, shape.combos, shape.slots, shape.options)
        == (products, combos, slots, options)
    }
  }

  /// Returns a shape with the same counts and these changes. Nil keeps a value. Spreads are merged.
  package func with(
    lists: Lists? = nil, optionProducts: OptionProducts? = nil,
    spreads: [MenuTrait: Spread] = [:], seed: UInt64? = nil
  ) -> MenuShape {
    MenuShape(
      products: products, combos: combos, slots: slots, options: options,
      lists: lists ?? self.lists, optionProducts: optionProducts ?? self.optionProducts,
      spreads: self.spreads.merging(spreads) { $1 }, seed: seed ?? self.seed)
  }
}

extension MenuShape: CustomStringConvertible {
  /// The shortest text that ``init(parsing:)`` reads back as an equal shape.
  ///
  /// Examples: `large`, `large:seed=9,embed=yes`, and
  /// `products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated`. Spreads are last, as in
  /// `small:variants=57x1+24x3`.
  package var description: String {
    if let preset { return describe(preset) }
    // A shape without a preset was created from averages, so both divisions are exact.
    let perCombo = spreads[.slots]?.inFull ?? "\(combos == 0 ? 0 : slots / combos)"
    let perSlot = spreads[.options]?.inFull ?? "\(slots == 0 ? 0 : options / slots)"
    let counts = [
      "products=\(products)", "combos=\(combos)", "slots=\(perCombo)", "options=\(perSlot)",
    ]
    return (counts + changes(showingSeed: true)).joined(separator: ",")
  }

  private func describe(_ preset: Preset) -> String {
    let changes = changes(showingSeed: seed != MenuShape(preset).seed)
    return changes.isEmpty
      ? preset.rawValue : "\(preset.rawValue):\(changes.joined(separator: ","))"
  }

  private func changes(showingSeed: Bool) -> [String] {
    var changes: [String] = []
    if showingSeed { changes.append("seed=\(seed)") }
    if lists == .repeated { changes.append("lists=repeated") }
    if optionProducts == .embedded { changes.append("embed=yes") }
    for trait in MenuTrait.beyondCounts {
      if let spread = spreads[trait] { changes.append("\(trait.rawValue)=\(spread)") }
    }
    return changes
  }
}

extension MenuShape {
  /// Returns a shape of the same proportions with about `wanted` slot options.
  ///
  /// Keeps the share of products exactly, since they weigh most, and the slots per combo. If there
  /// are too few products for the usual options per slot, slots have fewer options and there are
  /// more combos. The options per slot are those that come closest to the total. Of the spreads of
  /// slots and options only the means remain. All other spreads stay unchanged.
  ///
  /// Returns nil if no shape is that large. The initialiser that takes counts has the limits.
  package func sized(options wanted: Int) -> MenuShape? {
    guard wanted > 0, options > 0 else { return nil }
    guard wanted != options else { return self }
    let share = Double(wanted) / Double(options)
    let products = max(1, (Double(self.products) * share).rounded())
    guard products <= 1_000_000 else { return nil }
    let slots = min(max(1, Self.rounded(self.slots, over: combos)), wanted)
    let usual = min(max(1, Self.rounded(options, over: self.slots)), Int(products))
    let combos = max(1, Self.rounded(wanted, over: slots * usual))
    let nearest = max(1, Self.rounded(wanted, over: combos * slots))
    return try? MenuShape(
      products: Int(products), combos: combos, slotsPerCombo: slots,
      optionsPerSlot: min(nearest, Int(products)), lists: lists, optionProducts: optionProducts,
      spreads: spreads.filter { $0.key != .slots && $0.key != .options }, seed: seed)
  }

  private static func rounded(_ dividend: Int, over divisor: Int) -> Int {
    Int((Double(dividend) / Double(divisor)).rounded())
  }

  /// Whether the menu is larger than any real one, so that its figures must be labelled.
  ///
  /// The whole menu of one store takes about 0.2 MB of JSON. With more than ten thousand repeated
  /// options that embed products, or with any count above that of `large`, a menu takes about 10 MB or more.
  package var isStressTest: Bool {
    let large = MenuShape(.large)
    let embedsAll = lists == .repeated && optionProducts == .embedded
    return products > large.products || combos > large.combos || slots > large.slots
      || options > large.options
      || (embedsAll && options > 10_000)
  }
}
