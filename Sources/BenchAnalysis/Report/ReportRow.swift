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

  package var cell: Cell { series.cell }
  package var phase: String { series.phase }
  package var metric: Metric { series.metric }
  /// The reason why there can be no values, or nil if there can be.
  package var unsupported: String? { series.unsupported }
  /// The median as a multiple of the floor's, or nil if it cannot be divided.
  package var floorRatio: Double? { floor?.multiple }
  /// The verdict of the comparison, or `belowFloor` for a figure that cannot be true.
  package var verdict: Verdict? {
    floor?.isError == true ? .belowFloor : comparison?.verdict
  }

  init(_ series: Series, floor: FloorBound?, machine: Machine, comparison: RowComparison?) {
    (self.series, self.floor, self.comparison) = (series, floor, comparison)
    summary = Summary(series)
    resolutionLimit = machine.resolutionLimit(series)
    isUnresolved = machine.isUnresolved(summary?.p50, series)
  }

  /// Makes a row of a sum of phases, which has no floor and no verdict of its own.
  init(_ sum: CostFigure, _ cell: Cell, phase: String) {
    series = Series(cell: cell, phase: phase, metric: .wall, blocks: sum.samples)
    summary = sum.summary
    (floor, comparison) = (nil, nil)
    (resolutionLimit, isUnresolved) = (sum.resolutionLimit, sum.isUnresolved)
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
