import MenuModel

/// What an app shows of a menu: flat rows of text, made once and scrolled often.
public struct MenuScreen: Hashable, Sendable {
  /// Categories with their products, then the combos.
  public let rows: [Row]

  /// A row of the list.
  public struct Row: Hashable, Sendable {
    /// The name.
    public let title: String
    /// The text under it; for a combo the names of its default products.
    public let text: String
    /// The price as shown, empty where there is none.
    public let price: String
  }

  /// Maps a menu: products that are not on sale are left out.
  public init(_ menu: Menu) {
    let shelves = Dictionary(grouping: menu.products.filter { $0.availability == .available }) {
      $0.categoryID
    }
    let currency = menu.currency
    let products = menu.categories.flatMap { category in
      (shelves[category.id] ?? []).map { Row($0, currency) }
    }
    rows = products + Self.combos(of: menu)
  }

  private static func combos(of menu: Menu) -> [Row] {
    let resolver = SlotResolver(menu)
    let names = Dictionary(
      menu.products.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return menu.combos.map { combo in
      let chosen = combo.slots.compactMap { slot in
        slot.defaultProductID ?? resolver.options(of: slot).first?.productID
      }
      return Row(
        title: combo.name, text: chosen.compactMap { names[$0] }.joined(separator: ", "),
        price: combo.price.map { priceText($0, menu.currency) } ?? "")
    }
  }
}

extension MenuScreen.Row {
  /// A product: from the price of its cheapest variant, where there are several.
  fileprivate init(_ product: Product, _ currency: String) {
    let cheapest = product.variants.map(\.price).min().map { priceText($0, currency) } ?? ""
    title = product.name
    text = product.details
    price = product.variants.count > 1 ? "from \(cheapest)" : cheapest
  }
}

/// A price in minor units, a hundred to the whole: `589 RUB`, `7.50 EUR`.
private func priceText(_ price: Int, _ currency: String) -> String {
  let (whole, rest) = price.quotientAndRemainder(dividingBy: 100)
  let sign = price < 0 && whole == 0 ? "-" : ""
  guard rest != 0 else { return "\(whole) \(currency)" }
  let cents = rest.magnitude < 10 ? "0\(rest.magnitude)" : "\(rest.magnitude)"
  return "\(sign)\(whole).\(cents) \(currency)"
}
