import Basics
import BenchDocuments

/// A part of a menu that can be used without the rest: a ``Product``, a ``ResolvedCombo``, a
/// ``FirstScreen``.
public protocol MenuPart: Hashable, Sendable {
  /// Feeds every field.
  func visit(_ checksum: inout Checksum)
}

/// A combo with everything that a screen needs of it: its options and the products behind them.
public struct ResolvedCombo: MenuPart {
  /// The combo as the menu has it.
  public var combo: Combo
  /// The options of every slot, whether shared or its own, in the order of the slots.
  public var options: [[SlotOption]]
  /// The products that the options name, each once, in the order in which they are first named.
  public var products: [Product]

  /// Makes a resolved combo.
  public init(combo: Combo, options: [[SlotOption]], products: [Product]) {
    self.combo = combo
    self.options = options
    self.products = products
  }

  /// Feeds the combo's own fields, then slot by slot its fields and options, then the products; not
  /// the copies that options embed, since those are the products.
  public func visit(_ checksum: inout Checksum) {
    combo.visitFields(&checksum)
    checksum.add(combo.slots.count)
    for (slot, options) in zip(combo.slots, options) {
      checksum.add(slot.id)
      checksum.add(slot.name)
      checksum.add(slot.min)
      checksum.add(slot.max)
      checksum.add(slot.defaultProductID)
      checksum.addAll(options) { $0.visitFields(&$1) }
    }
    checksum.addAll(products) { $0.visit(&$1) }
  }
}

extension Menu {
  /// The product of an id; nil where there is none. Cost: a search.
  public func product(_ id: Int) -> Product? { products.first { $0.id == id } }

  /// The combo of an id, resolved; nil where there is none. Products that options name and the menu
  /// does not have are left out. Cost: a search, and an index of all products.
  public func resolvedCombo(_ id: Int) -> ResolvedCombo? {
    guard let combo = combos.first(where: { $0.id == id }) else { return nil }
    return ComboResolver(self).resolved(combo)
  }
}

/// What an app shows first of a menu: its shelves, the products of the first one, and some combos.
public struct FirstScreen: MenuPart {
  /// How many combos it shows at most.
  public static let combos = 6

  /// Every category.
  public var categories: [Category]
  /// Every product of the first category that has any, in the menu's order.
  public var products: [Product]
  /// The menu's first combos, resolved.
  public var combos: [ResolvedCombo]

  /// Makes a screen.
  public init(categories: [Category], products: [Product], combos: [ResolvedCombo]) {
    self.categories = categories
    self.products = products
    self.combos = combos
  }

  /// Feeds the categories, then the products, then the combos, each list after its count.
  public func visit(_ checksum: inout Checksum) {
    checksum.addAll(categories) { $0.visit(&$1) }
    checksum.addAll(products) { $0.visit(&$1) }
    checksum.addAll(combos) { $0.visit(&$1) }
  }
}

extension Menu {
  /// What is shown of the menu first. Cost: a look at each product, and an index of them.
  public func firstScreen() -> FirstScreen {
    let filled = Set(products.flatMap(\.categoryIDs))
    let shelf = categories.first { filled.contains($0.id) }?.id
    let resolver = ComboResolver(self)
    return FirstScreen(
      categories: categories,
      products: products.filter { product in shelf.map(product.stands(in:)) ?? false },
      combos: combos.prefix(FirstScreen.combos).map { resolver.resolved($0) })
  }
}

/// Resolves many combos of one menu by indexes made once.
struct ComboResolver {
  private let slots: SlotResolver
  private let products: [Int: Product]

  /// Indexes a menu; of two things with one id the first counts.
  init(_ menu: Menu) {
    slots = SlotResolver(menu)
    products = Dictionary(
      menu.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The combo with its options, and the products that they name.
  func resolved(_ combo: Combo) -> ResolvedCombo {
    let options = combo.slots.map { slots.options(of: $0) }
    let named = options.joined().map(\.productID).distinct
    return ResolvedCombo(
      combo: combo, options: options, products: named.compactMap { products[$0] })
  }
}
