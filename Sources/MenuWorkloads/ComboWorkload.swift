import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `combo`: one combo resolved to its slots, options and products, by the backend's own route where
/// it has one, and in fresh processes. What is timed ends as in ``ProductWorkload``.
package struct ComboWorkload: ColdWorkload {
  /// `combo`.
  package let name = "combo"
  /// What it tells.
  package let summary = """
    one combo resolved to its slots, options and products as a value, from a store in use; the \
    first of fresh processes
    """
  /// A combo in a warm process. Opening the store in a fresh process, then the same; and its start.
  package let phases: [Phase] = [.combo, .coldCombo, .start]
  /// Enough for a median of one block.
  package let coldStarts = 30

  /// It has no settings.
  package init() {}

  /// The menu is there.
  package var beginsStored: Bool { true }
  /// Those of the fresh processes.
  package let coldPhases: [Phase] = [.coldCombo, .start]

  /// Which combos are asked for, and what must come back.
  package struct Plan: Sendable {
    /// The combos.
    package let combos: PartCycle
    /// What fresh processes are asked for: the combo whose number of options is the median of the
    /// menu's.
    package let cold: PartPlan
    /// Asked for in warm-up.
    package let further: FurtherParts
  }

  /// Draws combos.
  package func plan(for menu: Menu) throws -> Plan {
    let resolver = SlotResolver(menu)
    let sizes = menu.combos.map { combo in
      combo.slots.reduce(0) { $0 + resolver.options(of: $1).count }
    }
    let order = menu.combos.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    guard !order.isEmpty, let median = menu.resolvedCombo(menu.combos[order[order.count / 2]].id)
    else {
      throw WorkloadFailure("the menu has no combo to resolve")
    }
    let ids = menu.combos.map(\.id)
    return Plan(
      combos: PartCycle("combo", ids: ids) { menu.resolvedCombo($0)?.visit(&$1) },
      cold: PartPlan("combo", id: median.combo.id, median.visit),
      further: FurtherParts("combo", ids: ids) { menu.resolvedCombo($0)?.visit(&$1) })
  }

  /// By what the backend offers, or by the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    guard phase != .start else { return nil }
    let access = MenuAccess(backend)
    return access.named(access.comboRoute, isCold: phase == .coldCombo)
  }

  /// A cycle of combos; one where all of the menu is read for it.
  package func revolution(on backend: some Backend<Menu>) -> Int {
    MenuAccess(backend).comboRoute == .native ? PartCycle.length : 1
  }

  /// Takes a combo, which must have the checksum of what was stored. In warm-up a route of the backend's
  /// own is asked for others too, and for one that is not there.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    let turn = site.iteration % (site.isTimed ? PartCycle.length : revolution(on: site.backend))
    let combo = plan.combos[turn]
    try combo.check(
      site.measurePart(.combo, access.comboRoute) { try access.combo(combo.id) })
    site.note(plan.combos.usefulBytes, of: .usefulBytes, .combo)
    guard site.isWarmUp, access.comboRoute == .native else { return }
    try plan.further.check { try access.combo($0).map { Checksum(of: $0.visit) } }
  }
}

extension Phase {
  fileprivate static let combo = Phase("combo", decides: true, isPart: true)
  fileprivate static let coldCombo = Phase("cold-combo", decides: true)
}

extension ComboWorkload {
  /// The id of the combo of median size.
  package func order(_ number: Int, by plan: Plan) -> [Int] { [plan.cold.id] }

  /// Opens the store and takes the combo.
  package func work(_ order: [Int], on site: ColdSite<Menu>) throws -> PartFinding {
    guard let id = order.first else { throw WorkloadFailure("no combo is asked for") }
    return try PartFinding(on: site) { try Self.combo(id, in: $0) }
  }

  private static func combo(_ id: Int, in backend: some Backend<Menu>) throws -> ResolvedCombo? {
    try MenuAccess(backend).combo(id)
  }

  /// The time, once the checksum is that of what was stored.
  package func notes(
    of finding: PartFinding, _ order: [Int], by plan: Plan
  ) throws -> [PhaseNote] {
    try plan.cold.check(finding.checksum)
    return [PhaseNote(.coldCombo, Double(finding.elapsed))]
  }
}
