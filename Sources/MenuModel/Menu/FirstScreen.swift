/// What an app shows first of a menu: its shelves, the products of the first one, and some combos.
public struct FirstScreen: Hashable, Sendable {
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
}

extension FirstScreen: MenuPart {
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
    let filled = Set(products.map(\.categoryID))
    let shelf = categories.first { filled.contains($0.id) }?.id
    let resolver = ComboResolver(self)
    return FirstScreen(
      categories: categories, products: products.filter { $0.categoryID == shelf },
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
    var seen: Set<Int> = []
    let named = options.joined().map(\.productID).filter { seen.insert($0).inserted }
    return ResolvedCombo(
      combo: combo, options: options, products: named.compactMap { products[$0] })
  }
}
