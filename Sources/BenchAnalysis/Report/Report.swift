import Basics
import BenchResults

/// What every reporter renders: a run, what its values come to, and what to make of them.
package struct Report: Sendable {
  package let record: RunRecord
  /// The run that it is set against, if any.
  package let baseline: RunRecord?
  /// Every row in the record's order, then those that only the baseline has.
  package let rows: [ReportRow]
  /// The rows by menu, workload and durability, each group with its glance.
  package let groups: [ReportGroup]
  package let comparison: Comparison?
  /// What a reader must know, worst first.
  package let conclusions: [Conclusion]
  /// Because of which functions rows fail, of those that were profiled.
  package var explanations: [Series.Key: Explanation] = [:]
  /// The profiles that explain them, of both programs, in turn.
  package var profiles: [ProfilePair] = []
  /// What is no pass, as whoever asked said: it counts for the exit status and for every format alike.
  package var rule = PassRule.comparison()

  /// Analyses a run, against an earlier one where there is one, which the ``Comparison`` does as it is told.
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

  /// The rows that fail a gate: regressions, the worst first, and what is no longer measured.
  package var failing: [ReportRow] { regressions + missing }

  /// The rows that only the baseline has, and times that one side of a gate could not take.
  package var missing: [ReportRow] { rows.filter { $0.verdict == .missing } }

  /// The rows below their floors of which their backends say nothing, in the report's order.
  package var belowFloor: [ReportRow] { rows.filter { $0.floor?.isError ?? false } }

  package var inconclusive: [ReportRow] { rows.filter { $0.verdict?.isInconclusive ?? false } }

  /// Wall time of the costs that have more than one phase, a row a backend, with the cost's name for a
  /// phase; of none that cannot be true.
  package var costRows: [ReportRow] {
    groups.flatMap { group in
      group.glance.flatMap { row in
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

  /// Where instructions, perhaps of a smaller menu, were decided and a time was not, that these are to be seen.
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
    return "time undecided, instructions \(change)\(place): see them"
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
      // What a run lacks must not show another run's figures.
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

/// The cells that differ by backend alone, and so may be set side by side.
package struct ReportGroup: Sendable {
  package let menu: String
  package let workload: String
  package let durability: String
  /// The shard that measured it, of several that were merged; nil of a run on one machine. A group is
  /// never of two.
  package let shard: Int?
  /// What is known of the menu; nil if the record does not describe it.
  package let info: MenuInfo?
  /// What backends are set side by side by: the workload's costs of which any has a figure.
  package let costs: [WorkloadInfo.Cost]
  /// The rows by backend in the glance's order, then by phase in the workload's, what is no phase of it
  /// in the record's; those missing from it last.
  package let rows: [ReportRow]
  /// One line a backend, what keeps nothing last: what each cost and keeping the menu come to.
  package let glance: [CostRow]

  /// The groups of rows, in the order in which each first occurs.
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
      guard let glance = tables[key[0]]?.rows(of: backends, key[1], key[2]) else { return nil }
      return ReportGroup(
        menu: key[0], workload: key[1], durability: key[2],
        shard: record.shard(of: rows[0].cell)?.number,
        info: menus.first { $0.name == key[0] },
        costs: glance.costs,
        rows: glance.rows.flatMap { ordered(grouped[$0.backend] ?? [], by: phases) },
        glance: glance.rows)
    }
  }

  /// One backend's rows in the order of phases: the record has them as its blocks came, and what is
  /// counted of a late phase may have come before what is timed of an early one.
  private static func ordered(_ rows: [ReportRow], by phases: [String]) -> [ReportRow] {
    rows.filter { phases.contains($0.phase) }.grouped(by: \.phase)
      .sorted { (phases.firstIndex(of: $0.key) ?? 0) < (phases.firstIndex(of: $1.key) ?? 0) }
      .flatMap(\.elements) + rows.filter { !phases.contains($0.phase) }
  }
}
