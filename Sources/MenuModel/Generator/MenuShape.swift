/// What a generated menu looks like: its counts, how it repeats itself, and the seed of its content.
///
/// Equal shapes give menus that are equal to the byte, in every process and on every platform. A
/// shape is a preset, a preset with changes, or made by hand; each has a text (``description``) that
/// ``init(parsing:)`` reads back.
public struct MenuShape: Hashable, Sendable {
  /// Products, a third of them pizzas.
  public let products: Int
  /// Combos.
  public let combos: Int
  /// Slots of all combos together.
  public let slots: Int
  /// Slot options, counted in every slot that shows them.
  public let options: Int
  /// Whether slots with equal options share one list.
  public let lists: Lists
  /// Whether a slot option names its product or holds a copy of it.
  public let optionProducts: OptionProducts
  /// Decides the content: another seed, another menu with the same counts.
  public let seed: UInt64

  /// How slots with equal options store them.
  public enum Lists: String, CaseIterable, Sendable {
    /// Once, in ``Menu/optionLists``.
    case shared
    /// Once in every slot.
    case repeated
  }

  /// How a slot option refers to its product.
  public enum OptionProducts: String, CaseIterable, Sendable {
    /// By id.
    case referenced
    /// By id, with a whole copy beside it.
    case embedded
  }

  init(
    products: Int, combos: Int, slots: Int, options: Int, lists: Lists = .shared,
    optionProducts: OptionProducts = .referenced, seed: UInt64? = nil
  ) {
    self.products = products
    self.combos = combos
    self.slots = slots
    self.options = options
    self.lists = lists
    self.optionProducts = optionProducts
    self.seed = seed ?? UInt64(products)
  }

  /// Different lists of options among the slots.
  ///
  /// A real store's 31 slots held 7; here their number grows with the square root of the slots.
  public var optionLists: Int { OptionPlan(self).lists }
}
