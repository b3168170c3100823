extension MenuShape {
  /// A shape of the same proportions with so many times the products and combos: as many slots of a
  /// combo and options of a slot, rounded, with the same knobs and the same seed.
  ///
  /// Nil where no shape is that small or large, or where it would be larger than `huge`.
  public func scaled(by factor: Double) -> MenuShape? {
    let huge = MenuShape(.huge)
    let products = (Double(products) * factor).rounded()
    let combos = (Double(combos) * factor).rounded()
    guard products <= Double(huge.products), combos <= Double(huge.options) else { return nil }
    let slots = Int((Double(self.slots) / Double(self.combos)).rounded())
    let options = Int((Double(self.options) / Double(self.slots)).rounded())
    let shape = try? MenuShape(
      products: Int(products), combos: Int(combos), slotsPerCombo: max(1, slots),
      optionsPerSlot: min(max(1, options), Int(products)),
      lists: lists, optionProducts: optionProducts, seed: seed)
    return shape.flatMap { $0.options <= huge.options ? $0 : nil }
  }
}
