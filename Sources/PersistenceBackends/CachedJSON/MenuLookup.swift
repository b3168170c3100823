import MenuModel

/// Where in a menu its products, combos and option lists are, by id; of two of one id the first
/// counts.
final class MenuLookup: Sendable {
  private let menu: Menu
  private let products: [Int: Int]
  private let combos: [Int: Int]
  private let resolver: SlotResolver

  init(_ menu: Menu) {
    self.menu = menu
    products = Self.places(of: menu.products.lazy.map(\.id))
    combos = Self.places(of: menu.combos.lazy.map(\.id))
    resolver = SlotResolver(menu)
  }

  func product(_ id: Int) -> Product? { products[id].map { menu.products[$0] } }

  func combo(_ id: Int) -> ResolvedCombo? {
    guard let combo = combos[id].map({ menu.combos[$0] }) else { return nil }
    let options = combo.slots.map(resolver.options)
    var seen: Set<Int> = []
    let named = options.joined().lazy.map(\.productID).filter { seen.insert($0).inserted }
    return ResolvedCombo(combo: combo, options: options, products: named.compactMap(product))
  }

  private static func places(of ids: some Sequence<Int>) -> [Int: Int] {
    Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
