import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `product` and `combo`: reads one part of the menu by its id, in a warm process and in fresh
/// ones. Uses the backend's own route if there is one. The timed work ends when the value is there,
/// and all of it is visited afterwards.
package struct PartWorkload<Part: AskedPart>: ColdWorkload {
  package var name: String { Part.kind }
  package var summary: String { Part.summary }
  /// The phases of a warm process, then those of a fresh one: opening the store and reading, and
  /// `start`.
  package var phases: [Phase] { Part.phases + coldPhases }
  package var coldPhases: [Phase] { [cold, .start] }
  /// Enough for a median of one block.
  package let coldStarts = 30
  package let beginsStored = true

  private let cold = Phase("cold-\(Part.kind)", decides: true)

  package init() {}

  package struct Plan: Sendable {
    package let parts: PartCycle
    package let names: PartCycle
    /// The part that fresh processes read.
    package let cold: PartPlan
    /// Parts from all over the menu and an id that is not there, for warm-up. They catch a backend
    /// that answers only one id, or any id.
    let further: [PartPlan]
    let absent: Int
  }

  package func plan(for menu: Menu) throws -> Plan {
    guard let part = Part.forFreshProcesses(of: menu) else {
      throw WorkloadFailure("the menu has no \(Part.kind) to read")
    }
    let (kind, ids) = (Part.kind, Part.ids(in: menu))
    func asked(_ id: Int) -> PartPlan {
      PartPlan(kind, id: id) { if let part = Part.find(id, in: menu) { part.visit(&$0) } }
    }
    var random = SplitMix64(seed: 2026)
    let places = [0, ids.count - 1] + (0..<4).map { _ in random.below(ids.count) }
    return Plan(
      parts: PartCycle(ids, asked),
      names: PartCycle(ids) { id in
        PartPlan("the name of \(kind)", id: id) { $0.add(Part.find(id, in: menu)?.name ?? "") }
      },
      cold: PartPlan(kind, id: part.id, part.visit),
      further: places.map { ids[$0] }.distinct.map(asked), absent: Set(ids).lowestFree)
  }

  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    guard phase != .start else { return nil }
    let access = MenuAccess(backend)
    return access.named(Part.route(by: access), isCold: phase == cold)
  }

  /// Returns the length of a cycle of parts, or 1 if any part needs the whole menu.
  package func cycleLength(on backend: some Backend<Menu>) -> Int {
    Part.route(by: MenuAccess(backend)) == .native ? PartCycle.length : 1
  }

  /// Reads a part and checks its checksum. In warm-up, a route of the backend's own is also tried
  /// with other parts, and with one that is not there.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    let turn = site.iteration % (site.isTimed ? PartCycle.length : cycleLength(on: site.backend))
    try Part.take(turn, of: plan, by: access, on: site)
    guard site.isWarmUp, Part.route(by: access) == .native else { return }
    for part in plan.further { try part.check(Part.find(part.id, by: access)) }
    guard try Part.find(plan.absent, by: access) != nil else { return }
    throw WorkloadFailure("\(Part.kind) \(plan.absent) is found, but none was stored")
  }

  package func order(_ number: Int, by plan: Plan) -> [Int] { [plan.cold.id] }

  package func work(_ order: [Int], on site: ColdSite<Menu>) throws -> PartFinding {
    guard let id = order.first else { throw WorkloadFailure("no \(Part.kind) is asked for") }
    let backend = try site.open()
    let part = try Self.part(id, in: backend)
    let elapsed = site.elapsed
    let checksum = part.map { "\(Checksum(of: $0.visit))" }
    try backend.close()
    return PartFinding(checksum: checksum, elapsed: elapsed)
  }

  private static func part(_ id: Int, in backend: some Backend<Menu>) throws -> Part? {
    try Part.find(id, by: MenuAccess(backend))
  }

  package func notes(
    of finding: PartFinding, _ order: [Int], by plan: Plan
  ) throws -> [PhaseNote] {
    try plan.cold.check(finding.checksum)
    return [PhaseNote(cold, Double(finding.elapsed))]
  }
}

/// A part of a menu that an app shows by itself.
package protocol AskedPart: MenuPart {
  /// The workload's name, and the name of a part in failures.
  static var kind: String { get }
  static var summary: String { get }
  static var phases: [Phase] { get }
  var id: Int { get }
  var name: String { get }

  /// Returns the ids of all parts, in the menu's order.
  static func ids(in menu: Menu) -> [Int]
  /// Returns the part that fresh processes read, or nil if there is none.
  static func forFreshProcesses(of menu: Menu) -> Self?
  static func find(_ id: Int, in menu: Menu) -> Self?
  static func find(_ id: Int, by access: MenuAccess<some Backend<Menu>>) throws -> Self?
  static func route(by access: MenuAccess<some Backend<Menu>>) -> Route

  /// Measures the phases. Each kind implements this, so that timed code is compiled for its type.
  static func take<B: Backend<Menu>, Clock: WallClock>(
    _ turn: Int, of plan: PartWorkload<Self>.Plan, by access: MenuAccess<B>,
    on site: WorkSite<B, Clock>
  ) throws
}

/// `product`: reads a product, then one property of another.
///
/// A backend that reads and converts a huge model for one property pays as much in `property` as in
/// `product`, because both have the same route. So `property` is shown, but not ranked. Such a
/// backend pays most in `cold-product`, which opens the store too.
package typealias ProductWorkload = PartWorkload<Product>

extension Product: AskedPart {
  package static let kind = "product"
  package static let summary = """
    one product by its id as a value, and its name alone, from a store in use, and one product in \
    a fresh process
    """
  package static let phases: [Phase] = [.product, .property]

  package static func ids(in menu: Menu) -> [Int] { menu.products.map(\.id) }
  package static func forFreshProcesses(of menu: Menu) -> Product? {
    menu.products.isEmpty ? nil : menu.products[menu.products.count / 2]
  }
  package static func find(_ id: Int, in menu: Menu) -> Product? { menu.product(id) }
  package static func find(
    _ id: Int, by access: MenuAccess<some Backend<Menu>>
  ) throws -> Product? { try access.product(id) }
  package static func route(by access: MenuAccess<some Backend<Menu>>) -> Route {
    access.productRoute
  }

  package static func take<B: Backend<Menu>, Clock: WallClock>(
    _ turn: Int, of plan: PartWorkload<Product>.Plan, by access: MenuAccess<B>,
    on site: WorkSite<B, Clock>
  ) throws {
    let (product, route) = (plan.parts[turn], access.productRoute)
    try product.check(site.measurePart(.product, route) { try access.product(product.id) })
    site.note(plan.parts.usefulBytes, of: .usefulBytes, .product)
    let named = plan.names[turn + 3]
    let name = try site.measurePart(.property, route) { try access.product(named.id)?.name }
    try named.check(name.map { name in "\(Checksum { $0.add(name) })" })
    site.note(plan.names.usefulBytes, of: .usefulBytes, .property)
  }
}

/// `combo`: reads a combo resolved to its slots, options and products.
package typealias ComboWorkload = PartWorkload<ResolvedCombo>

extension ResolvedCombo: AskedPart {
  package static let kind = "combo"
  package static let summary = """
    one combo resolved to its slots, options and products as a value, from a store in use \
    and in a fresh process
    """
  package static let phases: [Phase] = [.combo]
  package var id: Int { combo.id }
  package var name: String { combo.name }

  package static func ids(in menu: Menu) -> [Int] { menu.combos.map(\.id) }
  /// Returns the combo with the median number of options.
  package static func forFreshProcesses(of menu: Menu) -> ResolvedCombo? {
    let resolver = SlotResolver(menu)
    let sizes = menu.combos.map { combo in
      combo.slots.reduce(0) { $0 + resolver.options(of: $1).count }
    }
    let order = menu.combos.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    return order.isEmpty ? nil : menu.resolvedCombo(menu.combos[order[order.count / 2]].id)
  }
  package static func find(_ id: Int, in menu: Menu) -> ResolvedCombo? { menu.resolvedCombo(id) }
  package static func find(
    _ id: Int, by access: MenuAccess<some Backend<Menu>>
  ) throws -> ResolvedCombo? { try access.combo(id) }
  package static func route(by access: MenuAccess<some Backend<Menu>>) -> Route {
    access.comboRoute
  }

  package static func take<B: Backend<Menu>, Clock: WallClock>(
    _ turn: Int, of plan: PartWorkload<ResolvedCombo>.Plan, by access: MenuAccess<B>,
    on site: WorkSite<B, Clock>
  ) throws {
    let combo = plan.parts[turn]
    try combo.check(
      site.measurePart(.combo, access.comboRoute) { try access.combo(combo.id) })
    site.note(plan.parts.usefulBytes, of: .usefulBytes, .combo)
  }
}

extension Phase {
  fileprivate static let product = Phase("product", decides: true, isPart: true)
  fileprivate static let property = Phase("property", isPart: true)
  fileprivate static let combo = Phase("combo", decides: true, isPart: true)
}
