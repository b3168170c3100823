extension MenuShape {
  /// Makes a shape by hand.
  ///
  /// - Parameters:
  ///   - products: 1 to 1,000,000.
  ///   - combos: 1 to 100,000.
  ///   - slots: Slots of a combo on average, 1 to 100; at most 1,000,000 in all.
  ///   - options: Options of a slot on average, 1 to 10,000; at most 10,000,000 in all, and no more
  ///     than there are products.
  ///   - lists: Whether slots with equal options share one list.
  ///   - optionProducts: Whether slot options embed their products.
  ///   - seed: The number of products where nil.
  /// - Throws: ``MenuShapeError`` for a count outside these limits.
  public init(
    products: Int, combos: Int, slotsPerCombo slots: Int, optionsPerSlot options: Int,
    lists: Lists = .shared, optionProducts: OptionProducts = .referenced, seed: UInt64? = nil
  ) throws(MenuShapeError) {
    try Self.check(products, .products)
    try Self.check(combos, .combos)
    try Self.check(slots, .slots)
    try Self.check(options, .options)
    try Self.check(total: combos * slots, of: "slots", limit: 1_000_000)
    try Self.check(total: combos * slots * options, of: "slot options", limit: 10_000_000)
    guard options <= products else {
      throw .moreOptionsThanProducts(optionsPerSlot: options, products: products)
    }
    self.init(
      products: products, combos: combos, slots: combos * slots,
      options: combos * slots * options, lists: lists, optionProducts: optionProducts, seed: seed)
  }

  private static func check(_ value: Int, _ key: Key) throws(MenuShapeError) {
    guard key.limits.contains(value) else {
      throw .outOfRange(key: key.rawValue, value: String(value), limits: key.limits)
    }
  }

  private static func check(total: Int, of what: String, limit: Int) throws(MenuShapeError) {
    guard total <= limit else { throw .tooManyInAll(of: what, total: total, limit: limit) }
  }

  /// The keys of a shape's text, in the order to write them in.
  enum Key: String, CaseIterable {
    case products
    case combos
    case slots
    case options
    case seed
    case lists
    case embed

    static let counts: [Key] = [.products, .combos, .slots, .options]
    static let changes: [Key] = [.seed, .lists, .embed]

    /// What a count may be; no product of these overflows.
    var limits: ClosedRange<Int> {
      switch self {
      case .products: 1...1_000_000
      case .combos: 1...100_000
      case .slots: 1...100
      case .options: 1...10_000
      case .seed, .lists, .embed: 0...Int.max
      }
    }
  }
}
