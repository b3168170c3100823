/// What a generated menu looks like: its counts, how it repeats itself, and the seed of its content.
///
/// Equal shapes give menus that are equal to the byte, in every process and on every platform. A
/// shape is a preset, a preset with changes, or made by hand; each has a text (``description``) that
/// ``init(parsing:)`` reads back.
package struct MenuShape: Hashable, Sendable {
  /// Products, a third of them pizzas.
  package let products: Int
  /// Combos.
  package let combos: Int
  /// Slots of all combos together.
  package let slots: Int
  /// Slot options, counted in every slot that shows them.
  package let options: Int
  /// Whether slots with equal options share one list.
  package private(set) var lists = Lists.shared
  /// Whether a slot option names its product or holds a copy of it.
  package private(set) var optionProducts = OptionProducts.referenced
  /// What the menu has beyond its counts; what is not in it is as the counts alone give it.
  package private(set) var spreads: [MenuTrait: Spread] = [:]
  /// Decides the content: another seed, another menu with the same counts.
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
    /// By id, with a whole copy beside it.
    case embedded
  }

  /// Different lists of options among the slots.
  ///
  /// A real store's 31 slots held 7; here their number grows with the square root of the slots.
  package var optionLists: Int { OptionPlan(self).lists }
}

extension MenuShape {
  /// The shapes that have a name.
  package enum Preset: String, CaseIterable, Sendable {
    /// One real store.
    case small
    /// A chain's menu with several cities' products.
    case medium
    /// The menu that figures are quoted for.
    case large
    /// A stress test: no store sells this much.
    case huge

    /// One line: what it stands for and its counts.
    package var summary: String {
      let shape = MenuShape(self)
      return "\(title): \(shape.products) products, \(shape.combos) combos, "
        + "\(shape.slots) slots, \(shape.options) slot options"
    }

    /// Why the seed is what it is.
    package var reason: String {
      "The seed is the number of products, \(MenuShape(self).products): "
        + "nobody picked it for the menu that it gives."
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

  /// The shape of a preset: lists shared, products referenced, its own seed.
  package init(_ preset: Preset) {
    switch preset {
    case .small: self.init(products: 81, combos: 8, slots: 31, options: 560, seed: 81)
    case .medium: self.init(products: 300, combos: 40, slots: 160, options: 3_000, seed: 300)
    case .large: self.init(products: 1_000, combos: 150, slots: 600, options: 12_000, seed: 1_000)
    case .huge:
      self.init(products: 5_000, combos: 500, slots: 2_000, options: 80_000, seed: 5_000)
    }
  }

  /// The preset with the same counts, spread in its way, whatever the seed and the knobs.
  package var preset: Preset? {
    guard spreads[.slots] == nil, spreads[.options] == nil else { return nil }
    return Preset.allCases.first { preset in
      let shape = MenuShape(preset)
      return (shape.products, shape.combos, shape.slots, shape.options)
        == (products, combos, slots, options)
    }
  }

  /// The same counts with other knobs, further spreads or another seed; nil leaves what there is.
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
  /// The shortest text that ``init(parsing:)`` reads back as this very shape.
  ///
  /// `large`, `large:seed=9,embed=yes`, or
  /// `products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated`; spreads come last:
  /// `small:variants=57x1+24x3`.
  package var description: String {
    if let preset { return describe(preset) }
    // Shapes without a preset are made by hand only, so that both divisions are exact.
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
  /// A shape of the same proportions with about so many slot options, however many that are.
  ///
  /// Products keep their share of the options exactly, since they weigh most, and combos as many slots.
  /// Where there are too few products for as many options of a slot, there are more combos of fewer.
  /// Then the options of a slot are those that come nearest. Of spreads of slots and options only the
  /// means stay; what is counted of the whole menu stays as it is.
  ///
  /// Nil where no shape is that large: see ``init(products:combos:slotsPerCombo:optionsPerSlot:lists:optionProducts:spreads:seed:)``.
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

  /// Whether no real menu is this large, so that figures must be labelled.
  ///
  /// One store's whole menu takes about 0.2 MB of JSON. Beyond ten thousand slot options that each
  /// hold a whole product, or beyond what `large` has of anything, it would take over 10 MB or come
  /// close to it.
  package var isStressTest: Bool {
    let large = MenuShape(.large)
    let embedsAll = lists == .repeated && optionProducts == .embedded
    return products > large.products || combos > large.combos || slots > large.slots
      || options > large.options
      || (embedsAll && options > 10_000)
  }
}
