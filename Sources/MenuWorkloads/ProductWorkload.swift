import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `product`: one product by its id, by the backend's own route where it has one; then one property
/// of it; and the same product in fresh processes.
///
/// Who has to read and convert a huge model to take one property pays in `property` as much as in
/// `product`, and in `cold-product`, which opens the store too, more than ever.
package struct ProductWorkload: ColdWorkload {
  /// `product`.
  package let name = "product"
  /// What it tells.
  package let summary =
    "one product by its id, all of it used; its name alone; the same in fresh processes"
  /// Finding it and visiting all of it, in one phase: a view pays when it is used. Finding it and
  /// taking its name. Opening the store in a fresh process, then the first again; and its start.
  package let phases: [Phase] = [.product, .property, .coldProduct, .start]
  /// Enough for a median of one block.
  package let coldStarts = 30

  /// It has no settings.
  package init() {}

  /// The menu is there.
  package var beginsStored: Bool { true }
  /// Those of the fresh processes.
  package let coldPhases: [Phase] = [.coldProduct, .start]

  /// Which product is asked for, and what must come back.
  package struct Plan: Sendable {
    /// The product.
    package let product: PartPlan
    /// Its name.
    package let property: PartPlan
    /// Asked for in warm-up.
    package let further: FurtherParts
    /// Their names.
    package let furtherNames: FurtherParts
  }

  /// The product in the middle of the menu.
  package func plan(for menu: Menu) throws -> Plan {
    guard !menu.products.isEmpty else {
      throw WorkloadFailure("the menu has no product to read")
    }
    let product = menu.products[menu.products.count / 2]
    let ids = menu.products.map(\.id)
    return Plan(
      product: PartPlan("product", id: product.id, product.visit),
      property: PartPlan("the name of product", id: product.id, product.visitName),
      further: FurtherParts("product", ids: ids) { menu.product($0)?.visit(&$1) },
      furtherNames: FurtherParts("the name of product", ids: ids) {
        menu.product($0)?.visitName(&$1)
      })
  }

  /// By what the backend offers, or by the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    phase == .start ? nil : MenuAccess(backend).productRoute
  }

  /// Takes the product, then its name; either must have the checksum of what was stored. In warm-up a
  /// route of the backend's own is asked for others too, and for one that is not there.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    try site.backend.dropCaches()
    try plan.product.check { checksum in
      try site.measure(.product) { try access.product(plan.product.id, into: &checksum) }
    }
    try site.backend.dropCaches()
    try plan.property.check { checksum in
      try site.measure(.property) { try access.nameOfProduct(plan.property.id, into: &checksum) }
    }
    guard site.isWarmUp, access.productRoute == .native else { return }
    try plan.further.check { try access.product($0, into: &$1) }
    try plan.furtherNames.check { try access.nameOfProduct($0, into: &$1) }
  }
}

extension Phase {
  fileprivate static let product = Phase("product", decides: true)
  fileprivate static let property = Phase("property", decides: true)
  fileprivate static let coldProduct = Phase("cold-product", decides: true)
}

extension ProductWorkload {
  /// What a fresh process found.
  package struct Finding: Codable, Sendable {
    /// The checksum of the product; nil where there is none.
    var checksum: String?
    /// What opening the store, finding the product and visiting it took, in nanoseconds.
    var elapsed: UInt64
  }

  /// The product's id.
  package func order(_ number: Int, by plan: Plan) -> [Int] { [plan.product.id] }

  /// Opens the store and takes the product.
  package func work(_ order: [Int], on site: ColdSite<Menu>) throws -> Finding {
    guard let id = order.first else { throw WorkloadFailure("no product is asked for") }
    return try find(id, in: site.open(), site)
  }

  private func find(
    _ id: Int, in backend: some Backend<Menu>, _ site: ColdSite<Menu>
  ) throws -> Finding {
    let checksum = try Checksum(finding: { try MenuAccess(backend).product(id, into: &$0) })
    let finding = Finding(checksum: checksum?.description, elapsed: site.elapsed)
    try backend.close()
    return finding
  }

  /// The time, once the checksum is that of what was stored.
  package func notes(of finding: Finding, _ order: [Int], by plan: Plan) throws -> [PhaseNote] {
    try plan.product.check(finding.checksum)
    return [PhaseNote(.coldProduct, Double(finding.elapsed))]
  }
}
