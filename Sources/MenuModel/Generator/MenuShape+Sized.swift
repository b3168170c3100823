extension MenuShape {
  /// A shape of the same proportions with about so many slot options, however many that are.
  ///
  /// Products keep their share of the options exactly, since they weigh most, and combos as many slots.
  /// Where there are too few products for as many options of a slot, there are more combos of fewer.
  /// Then the options of a slot are those that come nearest.
  ///
  /// Nil where no shape is that large: see ``init(products:combos:slotsPerCombo:optionsPerSlot:lists:optionProducts:seed:)``.
  public func sized(options wanted: Int) -> MenuShape? {
    guard wanted > 0 else { return nil }
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
      optionsPerSlot: min(nearest, Int(products)),
      lists: lists, optionProducts: optionProducts, seed: seed)
  }

  private static func rounded(_ dividend: Int, over divisor: Int) -> Int {
    Int((Double(dividend) / Double(divisor)).rounded())
  }
}
