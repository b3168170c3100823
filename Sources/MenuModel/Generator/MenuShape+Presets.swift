extension MenuShape {
  /// The shapes that have a name.
  public enum Preset: String, CaseIterable, Sendable {
    /// One real store.
    case small
    /// A chain's menu with several cities' products.
    case medium
    /// The menu that figures are quoted for.
    case large
    /// A stress test: no store sells this much.
    case huge

    /// One line: what it stands for and its counts.
    public var summary: String {
      let shape = MenuShape(self)
      return "\(title): \(shape.products) products, \(shape.combos) combos, "
        + "\(shape.slots) slots, \(shape.options) slot options"
    }

    /// Why the seed is what it is.
    public var reason: String {
      "The seed is the number of products, \(MenuShape(self).products): "
        + "nobody picked it for the menu that it gives."
    }

    private var title: String {
      switch self {
      case .small: "a real store"
      case .medium: "a chain in several cities"
      case .large: "the founding case"
      case .huge: "a stress test"
      }
    }
  }

  /// The shape of a preset: lists shared, products referenced, its own seed.
  public init(_ preset: Preset) {
    switch preset {
    case .small: self.init(products: 81, combos: 8, slots: 31, options: 560)
    case .medium: self.init(products: 300, combos: 40, slots: 160, options: 3_000)
    case .large: self.init(products: 1_000, combos: 150, slots: 600, options: 12_000)
    case .huge: self.init(products: 5_000, combos: 500, slots: 2_000, options: 80_000)
    }
  }

  /// The preset with the same counts, whatever the seed and the knobs.
  public var preset: Preset? {
    Preset.allCases.first { preset in
      let shape = MenuShape(preset)
      return (shape.products, shape.combos, shape.slots, shape.options)
        == (products, combos, slots, options)
    }
  }

  /// The same counts with other knobs or another seed; nil leaves what there is.
  public func with(
    lists: Lists? = nil, optionProducts: OptionProducts? = nil, seed: UInt64? = nil
  ) -> MenuShape {
    MenuShape(
      products: products, combos: combos, slots: slots, options: options,
      lists: lists ?? self.lists, optionProducts: optionProducts ?? self.optionProducts,
      seed: seed ?? self.seed)
  }
}
