import Basics
import BenchResults

/// A run with the summaries of its values and the conclusions. Every reporter renders it.
package struct Report: Sendable {
  package let record: RunRecord
  /// The run that it is compared with, if any.
  package let baseline: RunRecord?
  /// Every row in the record's order, then those that only the baseline has.
  package let rows: [ReportRow]
  /// The rows by menu, workload and durability.
  package let groups: [ReportGroup]
  package let comparison: Comparison?
  /// The facts that a reader must know, the most serious first.
  package let conclusions: [Conclusion]
  /// The functions that made rows fail, for the rows that were profiled.
  package var explanations: [Series.Key: Explanation] = [:]
  /// The profiles of both programs that explain the rows.
  package var profiles: [ProfilePair] = []
  /// The conditions for a pass. They apply to the exit status and to every format.
  package var rule = PassRule.comparison()

  /// Analyses a run and compares it with a baseline, if there is one, see ``Comparison``.
  package init(
    record: RunRecord, baseline: RunRecord? = nil, tolerances: Tolerances = Tolerances(),
    gatesTimes: Bool = true, mixesProcesses: Bool = false
  ) {
    let comparison = baseline.map {
      Comparison(
        candidate: record, baseline: $0, tolerances: tolerances, gatesTimes: gatesTimes,
        mixesProcesses: mixesProcesses)
    }
    (self.record, self.baseline, self.comparison) = (record, baseline, comparison)
    let floors = FloorBound.all(record)
    rows = Self.rows(record, floors, comparison)
    groups = ReportGroup.all(
      rows, of: record, floors: floors, menus: record.menus + (baseline?.menus ?? []))
    conclusions =
      Evidence(record: record, baseline: baseline, rows: rows, comparison: comparison).conclusions
  }

  package var regressions: [ReportRow] {
    rows.filter { $0.verdict == .regressed }.sorted { Self.harm($0) > Self.harm($1) }
  }

  /// The rows that fail a gate: regressions, the worst first, and missing rows.
  package var failing: [ReportRow] { regressions + missing }

  /// The rows that only the baseline has, and times that one side of a gate could not measure.
  package var missing: [ReportRow] { rows.filter { $0.verdict == .missing } }

  /// The rows below their floors that their backends do not explain, in the report's order.
  package var belowFloor: [ReportRow] { rows.filter { $0.floor?.isError ?? false } }

  package var inconclusive: [ReportRow] { rows.filter { $0.verdict?.isInconclusive ?? false } }

  /// The wall times of costs with more than one phase: one row per backend, with the cost's name as
  /// its phase. Costs that cannot be true are left out.
  package var costRows: [ReportRow] {
    groups.flatMap { group in
      group.overview.flatMap { row in
        group.costs.filter { !$0.phases.contains($0.name) }.compactMap { cost in
          row.costs[cost.name].map { figure in
            let cell = Cell(
              backend: row.backend, menu: group.menu, workload: group.workload,
              durability: group.durability)
            return ReportRow(figure, cell, phase: cost.name)
          }
        }
      }
    }
  }

  /// Refers from an undecided time to instructions that were decided, perhaps with another menu.
  package func pointer(from row: ReportRow) -> String? {
    guard row.metric.isTime, row.verdict?.isInconclusive == true else { return nil }
    let counted = rows.filter {
      $0.metric.id == Metric.instructions.id && $0.phase == row.phase
        && $0.cell.backend == row.cell.backend && $0.cell.workload == row.cell.workload
        && $0.cell.durability == row.cell.durability
        && [.regressed, .improved].contains($0.verdict)
    }
    let own = counted.first { $0.cell.menu == row.cell.menu }
    guard let found = own ?? counted.first, let ratio = found.comparison?.ratio else { return nil }
    let place = own == nil ? " on \(found.cell.menu)" : ""
    let change = Wording.change(ratio, found.metric, exact: true)
    return "time undecided: look at instructions, \(change)\(place)"
  }

  /// How many times worse the row got, 1 or more.
  private static func harm(_ row: ReportRow) -> Double {
    guard let ratio = row.comparison?.ratio else { return .infinity }
    return row.metric.better == .lower ? ratio : 1 / ratio
  }

  private static func rows(
    _ record: RunRecord, _ floors: [Series.Key: FloorBound], _ comparison: Comparison?
  ) -> [ReportRow] {
    let keys = Set(record.cells.map(\.key))
    let absent = (comparison?.missing ?? []).filter { !keys.contains($0.key) }.map { series in
      // A missing row must not show the figures of the baseline.
      var empty = series
      empty.blocks = []
      return empty
    }
    return (record.cells + absent).map { series in
      ReportRow(
        series, floor: floors[series.key], machine: record.machine(of: series.cell),
        comparison: comparison?.rows[series.key])
    }
  }
}

/// The cells that differ only by backend, and so can be compared in one table.
package struct ReportGroup: Sendable {
  package let menu: String
  package let workload: String
  package let durability: String
  /// The shard that measured the group, if a merged run has several. Nil for a run on one machine.
  /// All cells of a group are from one shard.
  package let shard: Int?
  /// The description of the menu, or nil if the record has none.
  package let info: MenuInfo?
  /// The workload's costs that any backend was measured by. Backends are compared by them.
  package let costs: [WorkloadInfo.Cost]
  /// The rows by backend in the order of ``overview``, then by phase in the workload's order. Rows of
  /// other phases follow in the record's order.
  package let rows: [ReportRow]
  /// One row per backend with its costs and stored bytes. Backends that keep nothing are last.
  package let overview: [CostRow]

  /// Returns the groups of rows, in the order of first occurrence.
  static func all(
    _ rows: [ReportRow], of record: RunRecord, floors: [Series.Key: FloorBound], menus: [MenuInfo]
  ) -> [ReportGroup] {
    let names = rows.map(\.cell.menu).distinct
    let tables = Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, CostTable(menu: $0, of: record, floors: floors, takesHeld: false))
      })
    return rows.grouped { [$0.cell.menu, $0.cell.workload, $0.cell.durability] }.compactMap {
      key, rows in
      let grouped = Dictionary(grouping: rows, by: \.cell.backend)
      let backends = rows.map(\.cell.backend).distinct
      let phases = record.workload(key[1]).phases ?? []
      guard let overview = tables[key[0]]?.rows(of: backends, key[1], key[2]) else { return nil }
      return ReportGroup(
        menu: key[0], workload: key[1], durability: key[2],
        shard: record.shard(of: rows[0].cell)?.number,
        info: menus.first { $0.name == key[0] },
        costs: overview.costs,
        rows: overview.rows.flatMap { ordered(grouped[$0.backend] ?? [], by: phases) },
        overview: overview.rows)
    }
  }

  /// Sorts one backend's rows by phase. In the record they are in the order of its blocks, where
  /// counts of a late phase may come before times of an early one.
  private static func ordered(_ rows: [ReportRow], by phases: [String]) -> [ReportRow] {
    rows.filter { phases.contains($0.phase) }.grouped(by: \.phase)
      .sorted { (phases.firstIndex(of: $0.key) ?? 0) < (phases.firstIndex(of: $1.key) ?? 0) }
      .flatMap(\.elements) + rows.filter { !phases.contains($0.phase) }
  }
}
