import BenchResults

/// One cell, phase and metric, as every reporter shows it.
package struct ReportRow: Sendable {
  /// The measured series with its raw values, which are empty if the row is missing now.
  package let series: Series
  /// The summary of the values, or nil if there are none.
  package let summary: Summary?
  /// How the phase compares with its floor. Nil without a floor or a figure, and for metrics other
  /// than wall time.
  package let floor: FloorBound?
  /// The smallest figure that stands out from the clock's own cost. Nil if unknown, and for metrics
  /// that do not come from a clock.
  package let resolutionLimit: Double?
  /// Whether the median is mostly the clock's own cost.
  package let isUnresolved: Bool
  /// The comparison with the baseline's row, or nil if there is none or nothing can be compared.
  package let comparison: RowComparison?
  /// The most that the figure may be, in the metric's unit, or nil without a limit.
  package let limit: Double?

  package var cell: Cell { series.cell }
  package var phase: String { series.phase }
  package var metric: Metric { series.metric }
  /// The reason why there can be no values, or nil if there can be.
  package var unsupported: String? { series.unsupported }
  /// The median as a multiple of the floor's, or nil if it cannot be divided.
  package var floorRatio: Double? { floor?.multiple }
  /// The verdict of the comparison. A figure that cannot be true is `belowFloor`, and one above its limit `overLimit`
  /// unless it regressed.
  package var verdict: Verdict? {
    if floor?.isError == true { return .belowFloor }
    return isOverLimit && comparison?.verdict != .regressed ? .overLimit : comparison?.verdict
  }

  /// Whether the figure is above its limit: an exact one with any block, others with the whole interval, or with all
  /// blocks if there is none.
  package var isOverLimit: Bool {
    guard let limit, let blocks = series.blockMedians else { return false }
    let least = metric.isExact ? blocks.max() : summary?.interval?.low ?? blocks.min()
    return least.map { $0 > limit } ?? false
  }

  init(
    _ series: Series, floor: FloorBound?, machine: Machine, comparison: RowComparison?,
    limit: Double? = nil
  ) {
    (self.series, self.floor, self.comparison) = (series, floor, comparison)
    self.limit = limit
    summary = Summary(series)
    resolutionLimit = machine.resolutionLimit(series)
    isUnresolved = machine.isUnresolved(summary?.p50, series)
  }

  /// The figures of a phase and its floor, such as `takes 293 µs (at most 310 µs) where its floor,
  /// floor-write, takes 857 µs (at least 840 µs)`. Nil without a floor.
  package var besideFloor: String? {
    guard let floor, let summary else { return nil }
    let most = summary.interval.map { " (at most \(Wording.time($0.high)))" } ?? ""
    let least = floor.summary.interval.map { " (at least \(Wording.time($0.low)))" } ?? ""
    return "takes \(Wording.time(summary.p50))\(most), but its floor,"
      + " \(floor.phase), takes \(Wording.time(floor.summary.p50))\(least)"
  }

  /// Explains a figure below its floor, to be printed after the row's name.
  package var belowFloorReason: String? {
    besideFloor.map { "\($0): some of its work is done elsewhere, or the floor does too much" }
  }
}
