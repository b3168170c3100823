import BenchResults

/// The cells that differ by backend alone, and so may be set side by side.
public struct ReportGroup: Sendable {
  /// The menu's name.
  public let menu: String
  /// The workload's id.
  public let workload: String
  /// The durability's id.
  public let durability: String
  /// What is known of the menu; nil if the record does not describe it.
  public let info: MenuInfo?
  /// The rows by backend in the glance's order, then in the record's, those missing from it last.
  public let rows: [ReportRow]
  /// One line a backend, what keeps nothing last: what saving, loading and keeping the menu costs.
  public let glance: [GlanceRow]

  /// The groups of rows, in the order in which each first occurs.
  static func all(_ rows: [ReportRow], menus: [MenuInfo], machine: Machine) -> [ReportGroup] {
    let keys = rows.map { Key($0.cell) }
    let grouped = Dictionary(grouping: zip(keys, rows), by: \.0)
    var seen: Set<Key> = []
    return keys.filter { seen.insert($0).inserted }.map { key in
      ReportGroup(key, rows: (grouped[key] ?? []).map(\.1), menus: menus, machine: machine)
    }
  }

  private init(_ key: Key, rows: [ReportRow], menus: [MenuInfo], machine: Machine) {
    (menu, workload, durability) = (key.menu, key.workload, key.durability)
    info = menus.first { $0.name == key.menu }
    let glance = GlanceRow.all(rows.map(\.series), machine: machine)
    let grouped = Dictionary(grouping: rows, by: \.cell.backend)
    self.rows = glance.flatMap { grouped[$0.backend] ?? [] }
    self.glance = glance
  }

  private struct Key: Hashable {
    var menu: String
    var workload: String
    var durability: String

    init(_ cell: Cell) {
      (menu, workload, durability) = (cell.menu, cell.workload, cell.durability)
    }
  }
}
