import BenchResults

/// One cell, phase and metric, as every reporter shows it.
public struct ReportRow: Sendable {
  /// What was measured, with its raw values; the baseline's where the row is missing now.
  public let series: Series
  /// What the values come to; nil where there are none.
  public let summary: Summary?
  /// The median as a multiple of its floor's; nil where unknown, where the floor is 0, and of every
  /// metric but wall time.
  public let floorRatio: Double?
  /// What a figure of this metric must reach to be told from the clock's own cost; nil where
  /// unknown and of metrics that no clock gives.
  public let leastTellable: Double?
  /// Whether the floor, where there is one, can be told from the clock's own cost.
  public let isFloorTellable: Bool
  /// The row set against the baseline's; nil without one, or where nothing may be compared.
  public let comparison: RowComparison?

  /// The cell that was measured.
  public var cell: Cell { series.cell }
  /// The phase's id.
  public var phase: String { series.phase }
  /// What was measured.
  public var metric: Metric { series.metric }
  /// Why there are no values, where there can be none.
  public var unsupported: String? { series.unsupported }
  /// The phase that bounds this one from below, where there is one.
  public var floorPhase: String? { series.floor }
  /// Whether the median is mostly the clock's own cost.
  public var isTiny: Bool {
    guard let summary, let leastTellable else { return false }
    return summary.p50 < leastTellable
  }
  /// What the comparison came to.
  public var verdict: Verdict? { comparison?.verdict }

  init(
    _ series: Series, summary: Summary?, summaries: [Series.Key: Summary], machine: Machine,
    comparison: RowComparison?
  ) {
    self.series = series
    self.summary = summary
    self.comparison = comparison
    let floor = series.floor.flatMap {
      summaries[Series.Key(cell: series.cell, phase: $0, metric: Metric.wall.id)]?.p50
    }
    leastTellable = machine.leastTellable(series.metric)
    isFloorTellable = floor.map { $0 >= machine.leastTellable(.wall) ?? 0 } ?? true
    floorRatio = Self.ratio(series.metric.id == Metric.wall.id ? summary?.p50 : nil, floor)
  }

  private static func ratio(_ p50: Double?, _ floor: Double?) -> Double? {
    guard let p50, let floor, floor > 0 else { return nil }
    return p50 / floor
  }
}
