import MenuModel
import PersistenceBackends

/// `combo`: one combo resolved to its slots, options and products, by the backend's own route where
/// it has one.
public struct ComboWorkload: PartReading {
  /// `combo`.
  public let name = "combo"
  /// What it tells.
  public let summary = "one combo resolved to its slots, options and products, all of it used"

  /// Makes the workload.
  public init() {}

  /// The combo whose number of options is the median of the menu's.
  public func plan(for menu: Menu) throws -> PartPlan {
    let resolver = SlotResolver(menu)
    let sizes = menu.combos.map { combo in
      combo.slots.reduce(0) { $0 + resolver.options(of: $1).count }
    }
    let order = menu.combos.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    guard !order.isEmpty, let combo = menu.resolvedCombo(menu.combos[order[order.count / 2]].id)
    else {
      throw WorkloadFailure("the menu has no combo to resolve")
    }
    return try PartPlan(id: combo.combo.id, part: combo)
  }

  func find<B: Backend>(
    _ id: Int, in access: MenuAccess<B>, into checksum: inout Checksum
  ) throws -> Bool where B.Document == Menu { try access.combo(id, into: &checksum) }

  func route<B: Backend>(of access: MenuAccess<B>) -> Route where B.Document == Menu {
    access.comboRoute
  }
}
