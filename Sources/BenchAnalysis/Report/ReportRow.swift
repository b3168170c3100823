import BenchResults

/// One cell, phase and metric, as every reporter shows it.
package struct ReportRow: Sendable {
  /// What was measured, with its raw values; without any where the row is missing now.
  package let series: Series
  /// What the values come to; nil where there are none.
  package let summary: Summary?
  /// What the phase's floor says of it; nil where there is none or no figure, and of every metric but
  /// wall time.
  package let floor: FloorBound?
  /// What a figure of this metric must reach to be told from the clock's own cost; nil where
  /// unknown and of metrics that no clock gives.
  package let leastTellable: Double?
  /// Whether the median is mostly the clock's own cost.
  package let isTiny: Bool
  /// The row set against the baseline's; nil without one, or where nothing may be compared.
  package let comparison: RowComparison?

  package var cell: Cell { series.cell }
  package var phase: String { series.phase }
  package var metric: Metric { series.metric }
  /// Why there are no values, where there can be none.
  package var unsupported: String? { series.unsupported }
  /// The median as a multiple of its floor's; nil where there is nothing to divide by.
  package var floorRatio: Double? { floor?.multiple }
  /// What the comparison came to; of a figure that cannot be true, that it is below its floor.
  package var verdict: Verdict? {
    floor?.isError == true ? .belowFloor : comparison?.verdict
  }

  init(_ series: Series, floor: FloorBound?, machine: Machine, comparison: RowComparison?) {
    (self.series, self.floor, self.comparison) = (series, floor, comparison)
    summary = Summary(series)
    leastTellable = machine.leastTellable(series)
    isTiny = machine.isTiny(summary?.p50, series)
  }

  /// A sum of phases, which has no floor and no verdict of its own.
  init(_ sum: CostFigure, _ cell: Cell, phase: String) {
    series = Series(cell: cell, phase: phase, metric: .wall, blocks: sum.samples)
    summary = sum.summary
    (floor, comparison) = (nil, nil)
    (leastTellable, isTiny) = (sum.leastTellable, sum.isTiny)
  }

  /// Both figures of a phase and its floor: `takes 293 µs (at most 310 µs) where its floor, floor-write,
  /// takes 857 µs (at least 840 µs)`; nil of a row without a floor.
  package var besideFloor: String? {
    guard let floor, let summary else { return nil }
    let most = summary.interval.map { " (at most \(Wording.time($0.high)))" } ?? ""
    let least = floor.summary.interval.map { " (at least \(Wording.time($0.low)))" } ?? ""
    return "takes \(Wording.time(summary.p50))\(most) where its floor,"
      + " \(floor.phase), takes \(Wording.time(floor.summary.p50))\(least)"
  }

  /// What is wrong with a figure below its floor, after the row's name.
  package var belowFloorReason: String? {
    besideFloor.map { "\($0): what it causes is paid elsewhere, or the floor does too much" }
  }
}
