import Basics

extension MenuShape {
  /// Parses a preset, a preset with changes, or a shape given by counts.
  ///
  /// Examples: `large`, `large:lists=repeated,embed=yes,seed=9`, and
  /// `products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated,embed=yes`. `slots` is
  /// the average per combo and `options` the average per slot. By default the seed is the number of
  /// products, lists are shared and products are referenced. Every ``MenuTrait`` is also a key. Its
  /// value is one number for all or a ``Spread``, such as `variants=57x1+24x3`.
  ///
  /// - Throws: ``MenuShapeError`` with the faulty part and the valid choices.
  package init(parsing text: String) throws(MenuShapeError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let head = String(parts[0])
    if parts.count == 1, head.contains("=") {
      let traits = MenuTrait.beyondCounts.map(\.rawValue)
      try self.init(counts: Pairs(head, allowed: Key.allCases.map(\.rawValue) + traits))
      return
    }
    guard let preset = Preset(rawValue: head) else { throw .unknownPreset(head) }
    self.init(preset)
    if parts.count == 2 {
      let allowed = Key.changes.map(\.rawValue) + MenuTrait.beyondCounts.map(\.rawValue)
      self = try with(Pairs(String(parts[1]), allowed: allowed, fixedBy: head))
    }
  }

  private init(counts pairs: Pairs) throws(MenuShapeError) {
    let missing = Key.counts.filter { pairs[$0] == nil }
    guard missing.isEmpty else {
      throw .invalid("no value for \(missing.map(\.rawValue).joined(separator: ", "))")
    }
    let (slots, options) = (try pairs.perThing(.slots), try pairs.perThing(.options))
    var spreads: [MenuTrait: Spread] = [:]
    spreads[.slots] = slots.spread
    spreads[.options] = options.spread
    let byHand = try MenuShape(
      products: pairs.count(.products), combos: pairs.count(.combos),
      slotsPerCombo: slots.mean, optionsPerSlot: options.mean, spreads: spreads)
    self = try byHand.with(pairs)
  }

  private func with(_ pairs: Pairs) throws(MenuShapeError) -> MenuShape {
    var spreads: [MenuTrait: Spread] = [:]
    for trait in MenuTrait.beyondCounts { spreads[trait] = try pairs.spread(trait) }
    let shape = with(
      lists: try pairs.choice(.lists, from: Lists.allCases.map { ($0.rawValue, $0) }),
      optionProducts: try pairs.choice(
        .embed, from: [("yes", OptionProducts.embedded), ("no", .referenced)]),
      spreads: spreads,
      seed: pairs[.seed] == nil ? nil : try pairs.number(.seed, in: 0...UInt64.max))
    try shape.checkTotals()
    return shape
  }
}

/// The `key=value` pairs of a shape's text.
private struct Pairs {
  private var values: [String: String] = [:]

  /// - Parameter preset: the preset that determines the other keys, if any.
  init(_ text: String, allowed: [String], fixedBy preset: String? = nil) throws(MenuShapeError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { throw .invalid("'\(part)' is not key=value") }
      let key = String(sides[0])
      guard allowed.contains(key) else {
        if let preset, MenuShape.Key(rawValue: key) != nil { throw .fixedKey(key, preset: preset) }
        throw .unknownKey(key, choices: allowed)
      }
      guard values.updateValue(String(sides[1]), forKey: key) == nil else {
        throw .invalid("key '\(key)' is given twice")
      }
    }
  }

  subscript(key: MenuShape.Key) -> String? { values[key.rawValue] }

  func count(_ key: MenuShape.Key) throws(MenuShapeError) -> Int {
    try number(key, in: key.limits)
  }

  func number<Number: FixedWidthInteger>(
    _ key: MenuShape.Key, in limits: ClosedRange<Number>
  ) throws(MenuShapeError) -> Number {
    let text = self[key] ?? ""
    guard text.isWholeNumber else {
      throw .invalid("\(key.rawValue) must be a whole number, not '\(text)'")
    }
    guard let number = Number(text), limits.contains(number) else {
      throw .outOfRange(key.rawValue, text, limits)
    }
    return number
  }

  /// Parses a mean, or a spread of numbers.
  func perThing(_ key: MenuShape.Key) throws(MenuShapeError) -> (mean: Int, spread: Spread?) {
    guard let text = self[key], text.contains("x") else { return (try count(key), nil) }
    return (0, try MenuTrait(rawValue: key.rawValue).flatMap(spread))
  }

  func spread(_ trait: MenuTrait) throws(MenuShapeError) -> Spread? {
    guard let text = values[trait.rawValue] else { return nil }
    guard let spread = Spread(parsing: text) else {
      throw .invalid(
        "\(trait.rawValue) must be a whole number, or counts of numbers such as 17x0+30x1, "
          + "not '\(text)'")
    }
    for number in [spread.range.lowerBound, spread.range.upperBound]
    where !trait.limits.contains(number) {
      throw .outOfRange(trait.rawValue, "\(number)", trait.limits)
    }
    return spread
  }

  func choice<Value>(
    _ key: MenuShape.Key, from choices: [(name: String, value: Value)]
  ) throws(MenuShapeError) -> Value? {
    guard let text = self[key] else { return nil }
    guard let choice = choices.first(where: { $0.name == text }) else {
      throw .invalid(
        "\(key.rawValue) cannot be '\(text)': expected \(choices.map(\.name).inWords)")
    }
    return choice.value
  }
}

extension String {
  /// Whether the text is a decimal integer of any size, with an optional minus sign.
  fileprivate var isWholeNumber: Bool {
    let digits = hasPrefix("-") ? dropFirst() : self[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension MenuShape {
  /// Creates a shape from counts.
  ///
  /// - Parameters:
  ///   - products: 1 to 1,000,000.
  ///   - combos: 0 to 100,000.
  ///   - slots: the average number of slots per combo, 0 to 100. The total is at most 1,000,000.
  ///   - options: the average number of options per slot, 1 to 10,000, or 0 if there are no slots.
  ///     The total is at most 10,000,000. The average must not exceed the number of products.
  ///   - lists: whether slots with equal options share one list.
  ///   - optionProducts: whether slot options embed their products.
  ///   - spreads: the traits beyond the counts. Spreads of slots and options replace the averages,
  ///     and may have more options per slot than products.
  ///   - seed: the seed. Nil means the number of products.
  /// - Throws: ``MenuShapeError`` if a count is outside these limits.
  package init(
    products: Int, combos: Int, slotsPerCombo slots: Int, optionsPerSlot options: Int,
    lists: Lists = .shared, optionProducts: OptionProducts = .referenced,
    spreads: [MenuTrait: Spread] = [:], seed: UInt64? = nil
  ) throws(MenuShapeError) {
    try Self.check(products, .products)
    try Self.check(combos, .combos)
    try Self.check(slots, .slots)
    try Self.check(options, .options)
    let allSlots = spreads[.slots]?.sum(combos) ?? combos * slots
    try Self.check(total: allSlots, of: "slots", limit: 1_000_000)
    let allOptions = spreads[.options]?.sum(allSlots) ?? allSlots * options
    try Self.check(total: allOptions, of: "slot options", limit: 10_000_000)
    guard allOptions >= allSlots else {
      throw .outOfRange("options", "\(options)", MenuTrait.options.limits)
    }
    guard options <= products || allSlots == 0 else {
      throw .invalid(
        "a slot with \(options) different options needs as many products: there are \(products)")
    }
    self.init(
      products: products, combos: combos, slots: allSlots, options: allOptions, lists: lists,
      optionProducts: optionProducts, spreads: spreads, seed: seed ?? UInt64(products))
  }

  /// Throws if the spreads together produce more than fits into memory.
  private func checkTotals() throws(MenuShapeError) {
    func number(_ trait: MenuTrait, else usual: Int) -> Int {
      spreads[trait]?.range.upperBound ?? usual
    }
    let groups = number(.groups, else: 5 + products.squareRoot)
    let modifiers = groups * number(.modifiers, else: 20)
    let variants = products * number(.variants, else: 3)
    let tiers = variants * number(.tiers, else: 2)
    let labels =
      number(.categories, else: 14) + number(.ingredients, else: 39 + products.squareRoot) + groups
      + slots
    let translations = number(.translations, else: products + combos + labels)
    let coded = products + variants + labels + combos
    let things: KeyValuePairs<MenuTrait, Int> = [
      .variants: products, .parts: products, .choices: products, .tags: products,
      .modifiers: groups, .prices: modifiers, .tiers: variants, .names: products + combos,
      .details: products + combos, .sizes: variants, .doughs: variants, .labels: labels,
      .tiernames: tiers, .codes: coded, .images: coded, .othernames: translations,
      .otherdetails: translations,
    ]
    for (trait, count) in things {
      guard let most = spreads[trait]?.range.upperBound else { continue }
      let (total, overflows) = most.multipliedReportingOverflow(by: count)
      try Self.check(
        total: overflows ? .max : total, of: trait.rawValue,
        limit: trait.isOfTexts ? 1_000_000_000 : 10_000_000)
    }
  }

  private static func check(_ value: Int, _ key: Key) throws(MenuShapeError) {
    guard key.limits.contains(value) else {
      throw .outOfRange(key.rawValue, "\(value)", key.limits)
    }
  }

  private static func check(total: Int, of what: String, limit: Int) throws(MenuShapeError) {
    guard total <= limit else {
      throw .invalid("\(total) \(what) in total are too many: at most \(limit)")
    }
  }

  /// The keys of a shape's text, in the order in which they are written.
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

    /// The allowed range of a count. Multiplying these counts cannot overflow.
    var limits: ClosedRange<Int> {
      switch self {
      case .products: 1...1_000_000
      case .combos: 0...100_000
      case .slots: 0...100
      case .options: 0...10_000
      case .seed, .lists, .embed: 0...Int.max
      }
    }
  }
}

/// The reason why a text or counts do not form a ``MenuShape``.
package enum MenuShapeError: Error, Hashable, Sendable {
  /// The text is neither a preset nor `key=value` pairs.
  case unknownPreset(String)
  /// The key does not exist.
  case unknownKey(String, choices: [String])
  /// The preset determines this count.
  case fixedKey(String, preset: String)
  /// The menu has no products, so no shape can be derived from it.
  case emptyMenu
  /// A part is not `key=value`, or its value is invalid. The text says what is allowed.
  case invalid(String)

  fileprivate static let presets = MenuShape.Preset.allCases.map(\.rawValue)

  /// Returns the error for a number outside its limits. The number may have any length.
  static func outOfRange<Number>(
    _ key: String, _ value: String, _ limits: ClosedRange<Number>
  ) -> MenuShapeError {
    .invalid("\(key) must be \(limits.lowerBound) to \(limits.upperBound), not \(value)")
  }
}

extension MenuShapeError: CustomStringConvertible {
  /// One line with the faulty value and the valid choices.
  package var description: String {
    switch self {
    case .unknownPreset(let name):
      "unknown menu shape '\(name)': expected \(Self.presets.inWords) or key=value pairs"
    case .unknownKey(let key, let choices): "unknown key '\(key)': expected \(choices.inWords)"
    case .fixedKey(let key, let preset): "\(preset) has its own '\(key)', which cannot be changed"
    case .emptyMenu: "the menu has no products, so it has no shape"
    case .invalid(let reason): reason
    }
  }
}

extension [String] {
  /// The words as `a, b or c`.
  fileprivate var inWords: String {
    guard let last, count > 1 else { return joined() }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension MenuShapeError: UserFacingError {
  /// The message for a user who typed a menu's name and may have meant a file.
  package var message: String {
    switch self {
    case .unknownKey(let key, _): "unknown key '\(key)' in the shape of a menu"
    case .unknownPreset(let name) where MenuFile.isPipe(name):
      "every block's process reads the menu, but "
        + "\(name == MenuFile.standardInput ? "standard input" : name) can be read only once"
    case .unknownPreset(""): "an empty menu name"
    case .unknownPreset(let name):
      name.contains(".") ? "there is no file '\(name)'" : "unknown menu '\(name)'"
    default: description
    }
  }

  package var help: String? {
    switch self {
    case .emptyMenu: "give a menu with products, or a preset: see bench list menus"
    case .unknownKey(let key, let choices):
      NearestMatch.hint(key, among: choices) + "keys: \(choices.joined(separator: ", "))"
    case .fixedKey: "give all counts instead: products=100,combos=10,slots=4,options=20"
    case .unknownPreset(let name) where MenuFile.isPipe(name):
      "save it first: bench import \(name) --out menu.json, then --menu menu.json"
    case .unknownPreset(let name):
      NearestMatch.hint(name, among: Self.presets)
        + "menus: \(Self.presets.joined(separator: ", ")), "
        + "a shape such as products=100,combos=10,slots=4,options=20, or a file"
    default: "see bench list menus"
    }
  }

  package var kind: FailureKind { self == .emptyMenu ? .failed : .usage }
}
