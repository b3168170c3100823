/// What a shelf shows to somebody who set a limit: products that a category shows and that can be ordered now, up
/// to a price, the cheapest first.
public struct ProductFilter: Hashable, Sendable {
  /// The category that the products stand in.
  public var categoryID: Int
  /// The most that a product may cost, in minor units of the menu's currency.
  public var priceUpTo: Int

  /// Makes a filter.
  public init(categoryID: Int, priceUpTo: Int) {
    self.categoryID = categoryID
    self.priceUpTo = priceUpTo
  }

  /// The ids of the products of a menu that pass: the reference for every backend. See
  /// ``products(among:stopList:)``.
  public func products(of menu: Menu) -> [Int] {
    products(among: menu.products, stopList: menu.stopList)
  }

  /// The ids of the products that pass, by price, then by the key of the name (``NameSearch``), then by
  /// id.
  ///
  /// A product can be ordered that is ``Product/Availability/available`` and stands in no stop list; its
  /// price is the lowest of its variants that stand in none. One without such a variant has no price, and
  /// does not pass.
  public func products(among products: [Product], stopList: [StopListEntry]) -> [Int] {
    let stopped = Set(stopList.filter { $0.entity == .product }.map(\.entityID))
    let stoppedVariants = Set(stopList.filter { $0.entity == .variant }.map(\.entityID))
    let shelf = products.filter {
      $0.stands(in: categoryID) && $0.availability == .available && !stopped.contains($0.id)
    }
    let priced = shelf.compactMap { product -> Priced? in
      let variants = product.variants.filter { !stoppedVariants.contains($0.id) }
      guard let price = variants.map(\.price).min(), price <= priceUpTo else { return nil }
      return Priced(price: price, id: product.id, key: NameSearch.key(product.name))
    }
    return priced.sorted(by: <).map(\.id)
  }

  private struct Priced: Comparable {
    var price: Int
    var id: Int
    var key: String

    static func < (a: Self, b: Self) -> Bool {
      a.price == b.price ? NameSearch.precedes((a.id, a.key), (b.id, b.key)) : a.price < b.price
    }
  }
}
