import MenuModel
import PersistenceBackends

/// `product`: one product by its id, by the backend's own route where it has one.
public struct ProductWorkload: PartReading {
  /// `product`.
  public let name = "product"
  /// What it tells.
  public let summary = "one product by its id, all of it used"

  /// Makes the workload.
  public init() {}

  /// The product in the middle of the menu.
  public func plan(for menu: Menu) throws -> PartPlan {
    guard !menu.products.isEmpty else {
      throw WorkloadFailure("the menu has no product to read")
    }
    let product = menu.products[menu.products.count / 2]
    return try PartPlan(id: product.id, part: product)
  }

  func find<B: Backend>(
    _ id: Int, in access: MenuAccess<B>, into checksum: inout Checksum
  ) throws -> Bool where B.Document == Menu { try access.product(id, into: &checksum) }

  func route<B: Backend>(of access: MenuAccess<B>) -> Route where B.Document == Menu {
    access.productRoute
  }
}
