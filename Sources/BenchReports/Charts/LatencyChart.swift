import BenchAnalysis
import BenchResults

/// How long reads take while a writer works, by the share of reads that take longer. The axis is that
/// of Gil Tene's HdrHistogram: one in ten, one in a hundred and one in a thousand have equal distances.
enum LatencyChart {
  /// The shares to show, as one slower read in so many, from the median on.
  private static let ones = [2.0, 4, 10, 20, 100, 200, 1_000]

  /// Returns nil for a workload without readers and a writer.
  static func chart(_ group: ReportGroup) -> Chart? {
    let rows = group.rows.filter {
      $0.metric.id == Metric.wall.id && $0.phase == "read" && $0.series.blocks.joined().count > 1
    }
    guard WorkloadInfo.name(of: group.workload) == "contention", !rows.isEmpty else { return nil }
    let curves = rows.map { row in
      let values = row.series.blocks.joined().sorted()
      let points = ones.filter { $0 <= Double(values.count) }.compactMap { one in
        Statistics.quantile(1 - 1 / one, ofSorted: values).map { (x: one, y: $0) }
      }
      return CurvePlot.Curve(name: row.cell.backend, points: points)
    }
    let plot = CurvePlot(
      axes: (
        { Axis(logarithmicOver: ones, from: $0, to: $1) },
        { Axis(logarithmicOver: curves.flatMap { $0.points.map(\.y) }, from: $0, to: $1) }
      ), title: "faster readings", ticks: [2, 10, 100, 1_000], names: (share, Wording.time),
      curves: curves)
    return Chart(
      name: "latency", title: "Readings during writes: \(ReportDocument.title(group))",
      sentence: "A curve rises from the median reading to the slowest ones.",
      drawing: plot.drawing,
      table: Table(
        columns: ["backend"] + ones.map(share),
        rows: curves.map { curve in
          [Table.Cell(curve.name)]
            + ones.map { one in .value(curve.points.first { $0.x == one }?.y, .nanoseconds) }
        }))
  }

  /// Returns the share of faster reads: `99.9 %` for one in a thousand.
  private static func share(_ one: Double) -> String { "\((100 - 100 / one).digits) %" }
}
