import Basics
import BenchAnalysis
import BenchResults

/// How long reads take while a writer works, by the share of reads that take longer. The axis is that
/// of Gil Tene's HdrHistogram: one in ten, one in a hundred and one in a thousand have equal distances.
enum LatencyChart {
  /// The shares to show, as one slower read in so many, from the median on.
  private static let ones = [2.0, 4, 10, 20, 100, 200, 1_000]
  /// The least number of slower reads for a statement: fewer are chance.
  private static let leastBeyond = 10.0

  private typealias Line = (name: String, values: [Double])

  /// Returns nil for a workload without readers and a writer.
  static func chart(_ group: ReportGroup) -> Chart? {
    let lines = group.rows.filter { $0.metric.id == Metric.wall.id && $0.phase == "read" }
      .map { Line(name: $0.cell.backend, values: $0.series.blocks.joined().sorted()) }
      .filter { $0.values.count > 1 }
    guard WorkloadInfo.name(of: group.workload) == "contention", !lines.isEmpty else { return nil }
    let curves = lines.map { line in
      CurvePlot.Curve(
        name: line.name,
        points: ones.filter { $0 <= Double(line.values.count) }.compactMap { one in
          Statistics.quantile(1 - 1 / one, ofSorted: line.values).map { (one, $0) }
        })
    }
    let plot = CurvePlot(
      axes: (
        { Axis(logarithmicOver: ones, from: $0, to: $1) },
        { Axis(logarithmicOver: curves.flatMap { $0.points.map(\.y) }, from: $0, to: $1) }
      ), title: "faster readings", ticks: [2, 10, 100, 1_000], names: (share, Wording.time),
      curves: curves)
    let late = late(group)
    let aside =
      late.isEmpty ? "" : " Readers of \(Wording.list(late)) fell behind, so they have no curve."
    return Chart(
      name: "latency", title: "Readings during writes: \(ReportDocument.title(group))",
      sentence: sentence(lines) + aside, drawing: plot.drawing,
      table: Table(
        columns: ["backend"] + ones.map(share),
        rows: curves.map { curve in
          [Table.Cell(curve.name)]
            + ones.map { one in .value(curve.points.first { $0.x == one }?.y, .nanoseconds) }
        }))
  }

  /// Returns the share of faster reads: `99.9 %` for one in a thousand.
  private static func share(_ one: Double) -> String { "\((100 - 100 / one).digits) %" }

  /// Compares tails with their own medians, at a share for which all storages have enough reads.
  private static func sentence(_ lines: [Line]) -> String {
    let fewest = Double(lines.map(\.values.count).min() ?? 0)
    guard let one = ones.dropFirst().last(where: { leastBeyond * $0 <= fewest }) else {
      return "There are too few readings to judge the slowest ones."
    }
    let tails = lines.compactMap { line -> (name: String, multiple: Double)? in
      guard let middle = Statistics.quantile(0.5, ofSorted: line.values), middle > 0,
        let slow = Statistics.quantile(1 - 1 / one, ofSorted: line.values)
      else { return nil }
      return (line.name, slow / middle)
    }.sorted { $0.multiple < $1.multiple }
    let span = Chart.span(tails.map { ($0.name, Wording.multiple($0.multiple)) })
    return
      "One reading in \(Wording.count(one)) takes at least this multiple of its backend's median: "
      + "\(span). Rarer readings depend on chance."
  }

  /// Returns the storages whose readers fell behind in a block. The latencies of their other blocks would flatter them.
  private static func late(_ group: ReportGroup) -> [String] {
    group.rows.filter {
      $0.metric.id == Metric.wall.id && $0.phase == "read" && $0.series.unsupported != nil
        || $0.metric.id == Metric.utilisation.id && $0.summary.map { $0.p50 >= 100 } ?? false
    }.map(\.cell.backend).distinct
  }
}
