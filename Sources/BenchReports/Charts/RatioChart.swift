import BenchAnalysis
import BenchResults

/// How far figures moved from a baseline's, with their intervals, those that were flagged first.
enum RatioChart {
  /// How many rows are drawn: what is unchanged beyond that is in the table alone.
  private static let most = 40

  /// Nil without a baseline, or where no figure has a ratio.
  static func chart(_ report: Report) -> Chart? {
    let rows = report.rows.filter { row in
      row.series.isJudged && (row.comparison?.ratio ?? 0) > 0 && row.verdict != nil
        && (row.metric.isTime || row.verdict != .unchanged)
    }
    let ordered = rows.sorted { rank($0) < rank($1) }
    let shown = Array(ordered.prefix(most))
    guard !shown.isEmpty else { return nil }
    let flagged = rows.filter { [.regressed, .improved].contains($0.verdict) }
    let rest = rows.count - shown.count
    let sentence =
      (flagged.isEmpty
        ? "No figure was found to differ."
        : "\(Wording.plural(flagged.count, "figure")) differ, first in the chart.")
      + " Right of the line is more than in the baseline; a whisker is the interval at 95 %, and an arrow says that "
      + "it goes on." + (rest > 0 ? " \(rest) more are in the table alone." : "")
    return Chart(
      "ratios", title: "Against the baseline", sentence: sentence, drawing(shown),
      table: table(ordered))
  }

  /// Flagged rows, then undecided ones, then the others; the furthest from 1 first.
  private static func rank(_ row: ReportRow) -> (Int, Double) {
    let kind =
      switch row.verdict {
      case .regressed, .belowFloor: 0
      case .improved: 1
      case .inconclusive: 2
      default: 3
      }
    let ratio = row.comparison?.ratio ?? 1
    return (kind, -max(ratio, 1 / ratio))
  }

  private static func drawing(_ rows: [ReportRow]) -> Drawing {
    var drawing = Drawing()
    let ratios = rows.compactMap { $0.comparison?.ratio }
    // A wild interval would press all others together: it ends in an arrow.
    let reach = max(ratios.map { max($0, 1 / $0) }.max() ?? 1, 1.05) * 1.2
    let axis = Axis(logarithmicOver: [1 / reach, reach], from: 8, to: 352)
    let bottom = 4 + Double(rows.count) * 30
    drawing.horizontalAxis(axis, top: 4, bottom: bottom) { Wording.multiple($0) }
    drawing.line(axis.place(1), 4, axis.place(1), bottom, style: "axis")
    for (number, row) in rows.enumerated() {
      guard let comparison = row.comparison, let ratio = comparison.ratio else { continue }
      let y = 4 + Double(number) * 30
      let verdict = row.verdict?.id ?? ""
      drawing.text(
        "\(verdict): \(row.cell.backend) \(row.phase) \(row.metric.title)", 8, y + 11,
        style: [.regressed, .belowFloor].contains(row.verdict) ? "strong" : "")
      if let interval = comparison.interval {
        drawing.whisker(axis.place(interval.low), axis.place(interval.high), y: y + 21)
        if interval.high > reach { drawing.text("→", 352, y + 25, anchor: .end) }
        if interval.low < 1 / reach { drawing.text("←", 4, y + 25) }
      }
      let (mark, fill): (Drawing.Mark, String) =
        switch row.verdict {
        case .regressed, .belowFloor: (.triangle, "fill5")
        case .improved: (.diamond, "fill2")
        case .inconclusive: (.square, "fill3")
        default: (.circle, "fill7")
        }
      drawing.mark(
        mark, axis.place(ratio), y + 21, style: fill, note: "\(row.name): \(row.movement)")
    }
    drawing.height = bottom + 18
    return drawing
  }

  private static func table(_ rows: [ReportRow]) -> ChartTable {
    ChartTable(
      columns: ["row", "verdict", "ratio", "interval", "baseline", "now"],
      rows: rows.map { row in
        let comparison = row.comparison
        let interval = comparison?.interval.map {
          "\(Wording.multiple($0.low))–\(Wording.multiple($0.high))"
        }
        return [
          ChartTable.Value(row.name), ChartTable.Value(row.verdict?.id ?? ""),
          comparison?.ratio.map { ChartTable.Value(Wording.multiple($0), $0) } ?? "—",
          ChartTable.Value(interval ?? "—"),
          comparison?.baselineP50.map { ChartTable.Value(Wording.value($0, row.metric.unit), $0) }
            ?? "—",
          row.summary.map { ChartTable.Value(Wording.value($0.p50, row.metric.unit), $0.p50) }
            ?? "—",
        ]
      })
  }
}
