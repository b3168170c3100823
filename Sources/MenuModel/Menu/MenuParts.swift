import Basics
import BenchDocuments

/// A part of a menu that is useful without the rest: a ``Product``, a ``ResolvedCombo`` or a
/// ``FirstScreen``.
public protocol MenuPart: Hashable, Sendable {
  /// Adds every field to a checksum.
  func visit(_ checksum: inout Checksum)
}

/// A combo with everything that a screen needs: its options and their products.
public struct ResolvedCombo: MenuPart {
  /// The combo as stored in the menu.
  public var combo: Combo
  /// The options of each slot, shared or own, in the order of the slots.
  public var options: [[SlotOption]]
  /// The products of the options, each once, in the order of their first occurrence.
  public var products: [Product]

  /// Creates a resolved combo.
  public init(combo: Combo, options: [[SlotOption]], products: [Product]) {
    self.combo = combo
    self.options = options
    self.products = products
  }

  /// Adds the combo's own fields to a checksum, then each slot with its options, then the products.
  /// Skips the copies embedded in options, since they equal the products.
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
  /// Returns the product with an id, or nil. Searches all products.
  public func product(_ id: Int) -> Product? { products.first { $0.id == id } }

  /// Returns the resolved combo with an id, or nil. Leaves out products that the menu does not
  /// have. Searches the combos and indexes all products.
  public func resolvedCombo(_ id: Int) -> ResolvedCombo? {
    guard let combo = combos.first(where: { $0.id == id }) else { return nil }
    return ComboResolver(self).resolved(combo)
  }
}

/// The first screen of an app: the categories, the products of the first one, and some combos.
public struct FirstScreen: MenuPart {
  /// The maximum number of combos.
  public static let combos = 6

  /// All categories of the menu.
  public var categories: [Category]
  /// All products of the first category that has any, in the menu's order.
  public var products: [Product]
  /// The first combos of the menu, resolved.
  public var combos: [ResolvedCombo]

  /// Creates a screen.
  public init(categories: [Category], products: [Product], combos: [ResolvedCombo]) {
    self.categories = categories
    self.products = products
    self.combos = combos
  }

  /// Adds the categories, products and combos to a checksum, each list after its count.
  public func visit(_ checksum: inout Checksum) {
    checksum.addAll(categories) { $0.visit(&$1) }
    checksum.addAll(products) { $0.visit(&$1) }
    checksum.addAll(combos) { $0.visit(&$1) }
  }
}

extension Menu {
  /// Returns the first screen of the menu. Visits and indexes all products.
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

/// Resolves many combos of one menu with indexes that are built once.
struct ComboResolver {
  private let slots: SlotResolver
  private let products: [Int: Product]

  /// Indexes a menu. If an id occurs more than once, the first product counts.
  init(_ menu: Menu) {
    slots = SlotResolver(menu)
    products = Dictionary(
      menu.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a combo with its options and their products.
  func resolved(_ combo: Combo) -> ResolvedCombo {
    let options = combo.slots.map { slots.options(of: $0) }
    let named = options.joined().map(\.productID).distinct
    return ResolvedCombo(
      combo: combo, options: options, products: named.compactMap { products[$0] })
  }
}
