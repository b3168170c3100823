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
    let resolver = SlotResolver(self)
    let options = combo.slots.map { resolver.options(of: $0) }
    let known = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let named = options.joined().map(\.productID).distinct
    return ResolvedCombo(combo: combo, options: options, products: named.compactMap { known[$0] })
  }
}

/// The first screen of an app: the categories, and a card for each product of the first one that
/// has any and for some combos.
public struct FirstScreen: MenuPart {
  /// The maximum number of combos.
  public static let combos = 6

  /// All categories of the menu.
  public var categories: [Category]
  /// All products of the first category that has any, in the menu's order.
  public var products: [Card]
  /// The first combos of the menu.
  public var combos: [Card]

  /// Creates a screen.
  public init(categories: [Category], products: [Card], combos: [Card]) {
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

  /// What a list shows of a product or combo.
  public struct Card: Hashable, Sendable {
    /// The id among the menu's products or combos.
    public var id: Int
    /// The displayed name.
    public var name: String
    /// The text below the name.
    public var details: String
    /// The price in minor units, the lowest one of a product. Nil if there is none.
    public var price: Int?
    /// The address or code of the picture, that of a product's first variant. Nil if there is none.
    public var image: String?

    /// Creates a card.
    public init(id: Int, name: String, details: String, price: Int?, image: String?) {
      self.id = id
      self.name = name
      self.details = details
      self.price = price
      self.image = image
    }

    /// Creates the card of a product.
    public init(_ product: Product) {
      self.init(
        id: product.id, name: product.name, details: product.details,
        price: product.variants.map(\.price).min(), image: product.variants.first?.image)
    }

    /// Creates the card of a combo.
    public init(_ combo: Combo) {
      self.init(
        id: combo.id, name: combo.name, details: combo.details, price: combo.price,
        image: combo.image)
    }

    func visit(_ checksum: inout Checksum) {
      checksum.add(id)
      checksum.add(name)
      checksum.add(details)
      checksum.add(price)
      checksum.add(image)
    }
  }
}

extension Menu {
  /// Returns the first screen of the menu. Visits all products.
  public func firstScreen() -> FirstScreen {
    let filled = Set(products.flatMap(\.categoryIDs))
    let shelf = categories.first { filled.contains($0.id) }?.id
    return FirstScreen(
      categories: categories,
      products: products.filter { product in shelf.map(product.stands(in:)) ?? false }
        .map { FirstScreen.Card($0) },
      combos: combos.prefix(FirstScreen.combos).map { FirstScreen.Card($0) })
  }
}
