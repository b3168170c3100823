import Basics
import BenchResults

/// A run with the summaries of its values and the conclusions. Every reporter renders it.
package struct Report: Sendable {
  package let record: RunRecord
  /// The run that it is compared with, if any.
  package let baseline: RunRecord?
  /// Every row in the record's order, then those that only the baseline has.
  package let rows: [ReportRow]
  /// The rows of costs that are sums of phases, and of means, with the cost's name as phase. Costs that cannot be
  /// true are left out.
  package let costRows: [ReportRow]
  /// The rows by menu, workload and durability.
  package let groups: [ReportGroup]
  package let comparison: Comparison?
  package let limits: Limits
  /// The facts that a reader must know, the most serious first.
  package let conclusions: [Conclusion]
  /// The functions that made rows fail, for the rows that were profiled.
  package var explanations: [Series.Key: Explanation] = [:]
  /// The profiles of both programs that explain the rows.
  package var profiles: [ProfilePair] = []
  /// The conditions for a pass. They apply to the exit status and to every format.
  package var rule = PassRule.comparison()

  /// Analyses a run and compares it with a baseline, if there is one, see ``Comparison``. Costs are multiples
  /// of those of the reference, a backend, or of the best.
  package init(
    record: RunRecord, baseline: RunRecord? = nil, tolerances: Tolerances = Tolerances(),
    limits: Limits = Limits(), gatesTimes: Bool = true, mixesProcesses: Bool = false,
    reference: String? = nil
  ) {
    let derived = DerivedTimes(record)
    let comparison = baseline.map {
      Comparison(
        candidate: record, baseline: $0, derived: derived, tolerances: tolerances,
        gatesTimes: gatesTimes, mixesProcesses: mixesProcesses)
    }
    (self.record, self.baseline, self.comparison) = (record, baseline, comparison)
    self.limits = limits
    let floors = FloorBound.all(record)
    func row(_ series: Series) -> ReportRow {
      ReportRow(
        series, floor: floors[series.key], machine: record.machine(of: series.cell),
        comparison: comparison?.rows[series.key],
        limit: series.isJudged ? limits.of(series.key) : nil)
    }
    rows = Self.shown(record, comparison).map(row)
    costRows = derived.series.filter { series in
      !derived.phases(of: series).contains { phase in
        floors[Series.Key(cell: series.cell, phase: phase, metric: Metric.wall.id)]?.isError
          ?? false
      }
    }.map(row).filter {
      // Without a comparison, the mean of a time tells nothing new.
      $0.metric.id != Metric.meanWall.id || $0.comparison != nil || $0.limit != nil
    }
    groups = ReportGroup.all(
      rows, of: record, floors: floors, menus: record.menus + (baseline?.menus ?? []),
      reference: reference)
    conclusions =
      Evidence(
        record: record, baseline: baseline, rows: rows + costRows, comparison: comparison
      ).conclusions
  }

  /// Every row, and those of costs.
  package var allRows: [ReportRow] { rows + costRows }

  package var regressions: [ReportRow] {
    allRows.filter { $0.verdict == .regressed }.sorted { Self.harm($0) > Self.harm($1) }
  }

  /// The rows above a limit that the user set, in the report's order.
  package var overLimit: [ReportRow] { allRows.filter(\.isOverLimit) }

  /// The rows that fail a gate: regressions, the worst first, those over their limits, and missing rows.
  package var failing: [ReportRow] {
    regressions + overLimit.filter { $0.verdict == .overLimit } + missing
  }

  /// The rows that only the baseline has, and times that one side of a gate could not measure.
  package var missing: [ReportRow] { allRows.filter { $0.verdict == .missing } }

  /// The rows below their floors that their backends do not explain, in the report's order.
  package var belowFloor: [ReportRow] { rows.filter { $0.floor?.isError ?? false } }

  package var inconclusive: [ReportRow] {
    allRows.filter { $0.verdict?.isInconclusive ?? false }
  }

  /// How many times worse the row got, 1 or more.
  private static func harm(_ row: ReportRow) -> Double {
    guard let ratio = row.comparison?.ratio else { return .infinity }
    return row.metric.better == .lower ? ratio : 1 / ratio
  }

  /// The record's series, then those that only the baseline has, without its figures.
  private static func shown(_ record: RunRecord, _ comparison: Comparison?) -> [Series] {
    let keys = Set(record.cells.map(\.key))
    return record.cells
      + (comparison?.missing ?? []).filter { !keys.contains($0.key) }.map { series in
        var empty = series
        empty.blocks = []
        return empty
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
  /// The backend that the costs are multiples of, see ``CostTable/reference``.
  package let reference: String?

  /// Returns the groups of rows, in the order of first occurrence.
  static func all(
    _ rows: [ReportRow], of record: RunRecord, floors: [Series.Key: FloorBound], menus: [MenuInfo],
    reference: String?
  ) -> [ReportGroup] {
    let names = rows.map(\.cell.menu).distinct
    let tables = Dictionary(
      uniqueKeysWithValues: names.map {
        (
          $0,
          CostTable(menu: $0, of: record, floors: floors, takesHeld: false, reference: reference)
        )
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
        overview: overview.rows, reference: reference)
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
