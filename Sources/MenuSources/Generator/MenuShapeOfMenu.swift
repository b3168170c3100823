import MenuModel

extension MenuShape {
  /// Derives the shape of a menu. It generates a similar menu and reveals no text or id.
  ///
  /// The counts are those of the menu. Spreads are only stored for traits that the counts alone do
  /// not reproduce. Up to eight different numbers are exact, more are reduced to quarters. A
  /// generated menu gives its shape again, except that the seed is always the number of products.
  ///
  /// Generates and examines a menu of this size once for every stored spread, and once more.
  ///
  /// - Throws: ``MenuShapeError`` if the menu has no products or exceeds the limits of a shape.
  package init(of menu: Menu) throws(MenuShapeError) {
    guard !menu.products.isEmpty else { throw .emptyMenu }
    let traits = try Self.clamped(menu.traits)
    var shape = try Self.plain(menu, traits)
    // Adds one spread at a time, since later traits may then match without a spread of their own.
    while let missed = shape.firstMissed(of: traits) {
      var spreads = shape.spreads
      spreads[missed] = traits[missed]
      shape = try Self.plain(menu, traits, spreads)
    }
    self = shape
  }

  /// The first trait that differs in the generated menu and has no spread yet.
  private func firstMissed(of traits: [MenuTrait: Spread]) -> MenuTrait? {
    let found = Menu(shape: self).traits
    return MenuTrait.allCases.first { trait in
      traits[trait] != nil && traits[trait] != found[trait] && spreads[trait] == nil
        && !(trait == .ids && cannotShorten(traits, found))
    }
  }

  /// Limits the traits to the ranges of a shape. Longer texts are cut, longer lists are refused.
  private static func clamped(
    _ traits: [MenuTrait: Spread]
  ) throws(MenuShapeError) -> [MenuTrait: Spread] {
    var clamped: [MenuTrait: Spread] = [:]
    for trait in MenuTrait.allCases {
      guard let spread = traits[trait] else { continue }
      clamped[trait] = spread.clamped(to: trait.limits)
      guard trait.isOfTexts || clamped[trait] == spread else {
        throw .outOfRange(trait.rawValue, "\(spread.range.upperBound)", trait.limits)
      }
    }
    return clamped
  }

  /// Whether generated ids cannot be as short as wanted, since they count all things of the menu.
  private func cannotShorten(_ wanted: [MenuTrait: Spread], _ found: [MenuTrait: Spread]) -> Bool {
    guard let wanted = wanted[.ids], let found = found[.ids] else { return true }
    return wanted.range.upperBound <= found.range.upperBound
  }

  /// Returns the shape of a menu's counts with these additional spreads.
  private static func plain(
    _ menu: Menu, _ traits: [MenuTrait: Spread], _ spreads: [MenuTrait: Spread] = [:]
  ) throws(MenuShapeError) -> MenuShape {
    let slots = menu.combos.reduce(0) { $0 + $1.slots.count }
    let resolver = SlotResolver(menu)
    let options = menu.combos.lazy.flatMap(\.slots).map { resolver.options(of: $0) }
    let count = options.reduce(0) { $0 + $1.count }
    let own = menu.combos.lazy.flatMap(\.slots).count { $0.options != nil }
    let copies = options.reduce(0) { $0 + $1.count { $0.product != nil } }
    let lists: Lists = 2 * own > slots ? .repeated : .shared
    let products: OptionProducts = 2 * copies > count ? .embedded : .referenced
    let usual = MenuShape(
      products: menu.products.count, combos: menu.combos.count, slots: slots, options: count,
      lists: lists, optionProducts: products, spreads: spreads,
      seed: UInt64(menu.products.count))
    if usual.preset != nil { return usual }
    var spreads = spreads
    // Only integer means can be expressed without a spread.
    let mean = slots == 0 ? 0 : slots / menu.combos.count
    if mean * menu.combos.count != slots { spreads[.slots] = spreads[.slots] ?? traits[.slots] }
    let perSlot = slots == 0 ? 0 : count / slots
    if perSlot * slots != count || perSlot > menu.products.count {
      spreads[.options] = spreads[.options] ?? traits[.options]
    }
    return try MenuShape(
      products: menu.products.count, combos: menu.combos.count,
      slotsPerCombo: spreads[.slots] == nil ? mean : 0,
      optionsPerSlot: spreads[.options] == nil ? perSlot : 0, lists: lists,
      optionProducts: products, spreads: spreads)
  }
}

extension Menu {
  /// The size of the menu, as `bench shape` compares it: counts of things, then medians.
  package var extent: [(of: String, number: Int)] {
    var fitter = MenuFitter(self)
    let medians: [(String, MenuTrait)] = [
      ("variants of a product", .variants), ("slots of a combo", .slots),
      ("options of a slot", .options), ("letters of a name", .names),
      ("letters of a description", .details),
    ]
    return counts + [("stop list entries", stopList.count)]
      + medians.compactMap { name, trait in
        let numbers = fitter.numbers(trait).sorted()
        return numbers.isEmpty ? nil : ("median " + name, numbers[numbers.count / 2])
      }
  }
}
