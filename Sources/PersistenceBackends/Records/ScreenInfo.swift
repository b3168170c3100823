import GRDB
import MenuModel

/// What an app shows first, as requests fetch it.
struct ScreenInfo {
  let categories: [CategoryRecord]
  let products: [ProductInfo]
  let combos: [ResolvedComboInfo]
  /// The products that the combos' options name.
  let named: [ProductInfo]

  /// Fetches it in a transaction.
  init(_ db: Database) throws {
    categories = try CategoryRecord.all().ordered().fetchAll(db)
    products = try Self.shelf(categories, db)
    combos = try ResolvedComboInfo.request(
      ComboRecord.all().ordered().limit(FirstScreen.combos)
    ).fetchAll(db)
    let ids = Set(combos.flatMap(\.productIds))
    named = try ProductInfo.request(ProductRecord.filter(ids: ids)).fetchAll(db)
  }

  /// The products of the first category that has any.
  private static func shelf(
    _ categories: [CategoryRecord], _ db: Database
  ) throws -> [ProductInfo] {
    for category in categories {
      let shelf = ProductRecord.filter(GRDB.Column("categoryId") == category.id)
      let products = try ProductInfo.request(shelf).fetchAll(db)
      if !products.isEmpty { return products }
    }
    return []
  }

  /// The screen.
  func whole() throws -> FirstScreen {
    let named = try named.map { try $0.whole() }
    return FirstScreen(
      categories: try categories.map { try $0.category() },
      products: try products.map { try $0.whole() },
      combos: try combos.map { try $0.resolved(named) })
  }
}
