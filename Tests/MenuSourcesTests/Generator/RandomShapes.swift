import Basics
import MenuSources

/// Random shapes that a seed, which the test prints, gives again.
struct RandomShapes {
  private var random: SplitMix64

  init(_ seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// A preset or a shape by hand within these limits, with random knobs.
  mutating func shape(
    products: ClosedRange<Int>, combos: ClosedRange<Int>, slots: Int, options: Int
  ) throws -> MenuShape {
    let lists: MenuShape.Lists = random.once(in: 2) ? .shared : .repeated
    let optionProducts: MenuShape.OptionProducts = random.once(in: 2) ? .referenced : .embedded
    let seed = random.once(in: 2) ? nil : random.next()
    if random.once(in: 10) {
      return MenuShape(.small).with(lists: lists, optionProducts: optionProducts, seed: seed)
    }
    let products = random.within(products)
    return try MenuShape(
      products: products, combos: random.within(combos), slotsPerCombo: random.within(1...slots),
      optionsPerSlot: random.within(1...min(options, products)), lists: lists,
      optionProducts: optionProducts, seed: seed)
  }
}
