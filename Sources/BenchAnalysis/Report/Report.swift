import BenchResults

/// What every reporter renders: a run, what its values come to, and what to make of them.
public struct Report: Sendable {
  /// The run.
  public let record: RunRecord
  /// The run that it is set against, if any.
  public let baseline: RunRecord?
  /// Every row in the record's order, then those that only the baseline has.
  public let rows: [ReportRow]
  /// The rows by menu, workload and durability, each group with its glance.
  public let groups: [ReportGroup]
  /// The comparison with the baseline, if any.
  public let comparison: Comparison?
  /// What a reader must know, worst first.
  public let conclusions: [Conclusion]

  /// Analyses a run, against an earlier one where there is one.
  ///
  /// - Parameters:
  ///   - tolerances: How far rows may move before they count as changed.
  ///   - gatesTimes: Whether times of runs that were measured apart get verdicts; see
  ///     ``Comparison``.
  public init(
    record: RunRecord, baseline: RunRecord? = nil, tolerances: Tolerances = Tolerances(),
    gatesTimes: Bool = true
  ) {
    let comparison = baseline.map {
      Comparison(
        candidate: record, baseline: $0, tolerances: tolerances, gatesTimes: gatesTimes)
    }
    self.record = record
    self.baseline = baseline
    self.comparison = comparison
    rows = Self.rows(record, comparison)
    groups = ReportGroup.all(
      rows, menus: record.menus + (baseline?.menus ?? []), machine: record.machine)
    conclusions = Analysers.conclusions(
      Evidence(record: record, baseline: baseline, rows: rows, comparison: comparison))
  }

  /// The flagged rows: regressions, the worst first.
  public var regressions: [ReportRow] {
    rows.filter { $0.verdict == .regressed }.sorted { Self.harm($0) > Self.harm($1) }
  }

  /// The rows that fail a gate: regressions, the worst first, and what is no longer measured.
  public var failing: [ReportRow] { regressions + rows.filter { $0.verdict == .missing } }

  /// How many times worse the row got, 1 or more.
  private static func harm(_ row: ReportRow) -> Double {
    guard let ratio = row.comparison?.ratio else { return .infinity }
    return row.metric.better == .lower ? ratio : 1 / ratio
  }

  private static func rows(_ record: RunRecord, _ comparison: Comparison?) -> [ReportRow] {
    let summaries = Dictionary(
      record.cells.compactMap { series in Summary(series).map { (series.key, $0) } }
    ) { first, _ in first }
    let present = record.cells.map { series in
      ReportRow(
        series, summary: Summary(series), summaries: summaries, machine: record.machine,
        comparison: comparison?.rows[series.key])
    }
    let keys = Set(record.cells.map(\.key))
    let absent = (comparison?.missing ?? []).filter { !keys.contains($0.key) }.map { series in
      ReportRow(
        series.emptied, summary: nil, summaries: [:], machine: record.machine,
        comparison: comparison?.rows[series.key])
    }
    return present + absent
  }
}

extension Series {
  /// The series without its values: what a run lacks must not show another run's figures.
  fileprivate var emptied: Series {
    var series = self
    series.blocks = []
    return series
  }
}
