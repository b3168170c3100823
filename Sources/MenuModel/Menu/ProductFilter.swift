/// A filter for the orderable products of a category up to a price, the cheapest first.
public struct ProductFilter: Hashable, Sendable {
  /// The category of the products.
  public var categoryID: Int
  /// The maximum price of a product, in minor units of the menu's currency.
  public var priceUpTo: Int

  /// Creates a filter.
  public init(categoryID: Int, priceUpTo: Int) {
    self.categoryID = categoryID
    self.priceUpTo = priceUpTo
  }

  /// Returns the ids of a menu's products that pass. This is the reference for every backend. See
  /// ``products(among:stopList:)``.
  public func products(of menu: Menu) -> [Int] {
    products(among: menu.products, stopList: menu.stopList)
  }

  /// Returns the ids of the products that pass, by price, then by the name's key (``NameSearch``),
  /// then by id.
  ///
  /// A product passes only if it is ``Product/Availability/available`` and not in the stop list.
  /// Its price is the lowest of its variants that are not in the stop list. A product without such
  /// a variant has no price and does not pass.
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
