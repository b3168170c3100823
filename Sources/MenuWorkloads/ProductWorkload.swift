import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `product`: one product by its id, by the backend's own route where it has one; then one property
/// of another, and a product again in fresh processes.
///
/// Who has to read and convert a huge model to take one property pays in `property` as much as in
/// `product`, by whose way it goes: it is shown, and not ranked. In `cold-product`, which opens the store
/// too, he pays more than ever. What is timed ends when the value is there; all of it is visited
/// afterwards.
package struct ProductWorkload: ColdWorkload {
  /// `product`.
  package let name = "product"
  /// What it tells.
  package let summary = """
    one product by its id as a value, and its name alone, from a store in use; the first of fresh \
    processes
    """
  /// Two of a warm process: a product, a name. Opening the store in a fresh process, then the first
  /// again; and its start.
  package let phases: [Phase] = [.product, .property, .coldProduct, .start]
  /// Enough for a median of one block.
  package let coldStarts = 30

  /// It has no settings.
  package init() {}

  /// The menu is there.
  package var beginsStored: Bool { true }
  /// Those of the fresh processes.
  package let coldPhases: [Phase] = [.coldProduct, .start]

  /// Which products are asked for, and what must come back.
  package struct Plan: Sendable {
    /// The products.
    package let products: PartCycle
    /// Their names.
    package let names: PartCycle
    /// What fresh processes are asked for: the product in the middle of the menu.
    package let cold: PartPlan
    /// Asked for in warm-up.
    package let further: FurtherParts
  }

  /// Draws products.
  package func plan(for menu: Menu) throws -> Plan {
    guard !menu.products.isEmpty else {
      throw WorkloadFailure("the menu has no product to read")
    }
    let middle = menu.products[menu.products.count / 2]
    let ids = menu.products.map(\.id)
    return Plan(
      products: PartCycle("product", ids: ids) { menu.product($0)?.visit(&$1) },
      names: PartCycle("the name of product", ids: ids) { $1.add(menu.product($0)?.name ?? "") },
      cold: PartPlan("product", id: middle.id, middle.visit),
      further: FurtherParts("product", ids: ids) { menu.product($0)?.visit(&$1) })
  }

  /// By what the backend offers, or by the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    guard phase != .start else { return nil }
    let access = MenuAccess(backend)
    return access.named(access.productRoute, isCold: phase == .coldProduct)
  }

  /// A cycle of products; one where all of the menu is read for it, whichever it is.
  package func revolution(on backend: some Backend<Menu>) -> Int {
    MenuAccess(backend).productRoute == .native ? PartCycle.length : 1
  }

  /// Takes a product, then another one's name; either must have the checksum of what was stored. In
  /// warm-up a route of the backend's own is asked for others too, and for one that is not there.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    let turn = site.iteration % (site.isTimed ? PartCycle.length : revolution(on: site.backend))
    let product = plan.products[turn]
    let route = access.productRoute
    try product.check(site.measurePart(.product, route) { try access.product(product.id) })
    site.note(plan.products.usefulBytes, of: .usefulBytes, .product)
    let named = plan.names[turn + 3]
    let name = try site.measurePart(.property, route) { try access.product(named.id)?.name }
    try named.check(name.map { name in Checksum(of: { $0.add(name) }) })
    site.note(plan.names.usefulBytes, of: .usefulBytes, .property)
    guard site.isWarmUp, access.productRoute == .native else { return }
    try plan.further.check { try access.product($0).map { Checksum(of: $0.visit) } }
  }
}

extension Phase {
  fileprivate static let product = Phase("product", decides: true, isPart: true)
  fileprivate static let property = Phase("property", isPart: true)
  fileprivate static let coldProduct = Phase("cold-product", decides: true)
}

extension ProductWorkload {
  /// The id of the product in the middle.
  package func order(_ number: Int, by plan: Plan) -> [Int] { [plan.cold.id] }

  /// Opens the store and takes the product.
  package func work(_ order: [Int], on site: ColdSite<Menu>) throws -> PartFinding {
    guard let id = order.first else { throw WorkloadFailure("no product is asked for") }
    return try PartFinding(on: site) { try Self.product(id, in: $0) }
  }

  private static func product(_ id: Int, in backend: some Backend<Menu>) throws -> Product? {
    try MenuAccess(backend).product(id)
  }

  /// The time, once the checksum is that of what was stored.
  package func notes(
    of finding: PartFinding, _ order: [Int], by plan: Plan
  ) throws -> [PhaseNote] {
    try plan.cold.check(finding.checksum)
    return [PhaseNote(.coldProduct, Double(finding.elapsed))]
  }
}
