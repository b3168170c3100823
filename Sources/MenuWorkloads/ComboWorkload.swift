import BackendKit
import BenchEngine
import BenchProbes
import MenuModel

/// `combo`: one combo resolved to its slots, options and products, by the backend's own route where
/// it has one.
package struct ComboWorkload: Workload {
  /// `combo`.
  package let name = "combo"
  /// What it tells.
  package let summary = "one combo resolved to its slots, options and products, all of it used"
  /// Finding it and visiting all of it, in one phase: a view pays when it is used.
  package let phases: [Phase] = [.combo]

  /// It has no settings.
  package init() {}

  /// The menu is there.
  package var beginsStored: Bool { true }

  /// Which combo is asked for, and what must come back.
  package struct Plan: Sendable {
    /// The combo.
    package let combo: PartPlan
    /// Asked for in warm-up.
    package let further: FurtherParts
  }

  /// The combo whose number of options is the median of the menu's.
  package func plan(for menu: Menu) throws -> Plan {
    let resolver = SlotResolver(menu)
    let sizes = menu.combos.map { combo in
      combo.slots.reduce(0) { $0 + resolver.options(of: $1).count }
    }
    let order = menu.combos.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    guard !order.isEmpty, let combo = menu.resolvedCombo(menu.combos[order[order.count / 2]].id)
    else {
      throw WorkloadFailure("the menu has no combo to resolve")
    }
    return Plan(
      combo: PartPlan("combo", id: combo.combo.id, combo.visit),
      further: FurtherParts("combo", ids: menu.combos.map(\.id)) {
        menu.resolvedCombo($0)?.visit(&$1)
      })
  }

  /// By what the backend offers, or by the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    MenuAccess(backend).comboRoute
  }

  /// Reads it once; what is visited must have the checksum of what was stored. In warm-up a route of
  /// the backend's own is asked for others too, and for one that is not there.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    try site.backend.dropCaches()
    try plan.combo.check { checksum in
      try site.measure(.combo) { try access.combo(plan.combo.id, into: &checksum) }
    }
    guard site.isWarmUp, access.comboRoute == .native else { return }
    try plan.further.check { try access.combo($0, into: &$1) }
  }
}

extension Phase {
  fileprivate static let combo = Phase("combo", decides: true)
}
