import BenchAnalysis
import BenchResults

/// A chart of how far figures moved from a baseline's, with intervals, flagged ones first.
enum RatioChart {
  /// The most rows that are drawn. The table has all of them.
  private static let most = 40

  /// Returns nil without a baseline, or if no figure can be drawn.
  static func chart(_ report: Report) -> Chart? {
    let rows = report.rows.filter { row in
      row.series.isJudged && place(row) != nil
        && row.verdict.map { ![.new, .missing, .belowFloor].contains($0) } ?? false
        && (row.metric.isTime || row.verdict != .unchanged)
    }
    let ordered = rows.sorted { rank($0) < rank($1) }
    let shown = Array(ordered.prefix(most))
    guard !shown.isEmpty else { return nil }
    return Chart(
      name: "ratios", title: "Changes from the baseline",
      sentence: sentence(report, shown, undrawn: rows.count - shown.count),
      drawing: drawing(shown, isOfSeveral: report.groups.count > 1), table: table(ordered))
  }

  /// Sums up all figures, whether or not they can be drawn.
  private static func sentence(_ report: Report, _ shown: [ReportRow], undrawn: Int) -> String {
    func rows(_ verdicts: [Verdict]) -> [ReportRow] {
      report.rows.filter { row in row.verdict.map(verdicts.contains) ?? false }
    }
    let drawn = Set(shown.map(\.series.key))
    let flagged = rows([.regressed, .improved])
    let hidden = flagged.filter { !drawn.contains($0.series.key) }.map(\.name)
    let others = [
      ("inconclusive", report.inconclusive.count), ("missing now", rows([.missing]).count),
      ("below their floor, which cannot be true", rows([.belowFloor]).count),
    ].filter { $0.1 > 0 }.map { "; \($0): \(Wording.count($1))" }
    let paired =
      report.rows.contains { $0.comparison?.paired != nil }
      ? " For a ratio of pairs, the table has their baseline's median, and that times the ratio."
      : ""
    return "Figures that differ: \(Wording.count(flagged.count))\(others.joined())."
      + (hidden.isEmpty ? "" : " Not drawn: \(Wording.list(hidden)).")
      + " Right of the line is more than in the baseline. A whisker is the 95 % interval, and an "
      + "arrow means that it continues." + paired
      + (undrawn > 0 ? " Only in the table: \(undrawn) more." : "")
  }

  /// Returns the ratio of now to then, infinite if then was 0, or nil if unknown, or without a comparison.
  private static func place(_ row: ReportRow) -> Double? {
    guard let comparison = row.comparison else { return nil }
    if let ratio = comparison.ratio, ratio > 0 { return ratio }
    guard let then = comparison.baselineP50, let now = row.summary?.p50, then != now,
      then == 0 || now == 0
    else { return nil }
    return now > then ? .infinity : 0
  }

  /// Ranks flagged rows first, then undecided ones, then the others. Within a rank, the furthest from 1 comes first.
  private static func rank(_ row: ReportRow) -> (Int, Double) {
    let ratio = place(row) ?? 1
    return (kind(row.verdict).rank, -max(ratio, 1 / ratio))
  }

  private static func kind(
    _ verdict: Verdict?
  ) -> (rank: Int, mark: Drawing.Mark, style: String) {
    switch verdict {
    case .regressed: (0, .triangle, "fill5")
    case .improved: (1, .diamond, "fill2")
    case .inconclusive: (2, .square, "fill3")
    default: (3, .circle, "fill7")
    }
  }

  private static func drawing(_ rows: [ReportRow], isOfSeveral: Bool) -> Drawing {
    let ratios = rows.compactMap(place)
    // A very wide interval would squeeze all others, so it ends in an arrow.
    let most = ratios.filter { $0 > 0 && $0.isFinite }.map { max($0, 1 / $0) }.max() ?? 1
    let reach = max(most, 1.05) * 1.2
    return RowPlot(
      axis: { Axis(logarithmicOver: [1 / reach, reach], from: $0, to: $1) }, origin: 1,
      rows: zip(rows, ratios).map { row, ratio in
        let cell = row.cell
        let site = isOfSeveral ? " · \(cell.menu) \(cell.workload) \(cell.durability)" : ""
        let (_, form, style) = kind(row.verdict)
        return RowPlot.Row(
          name: "\(row.verdict?.id ?? ""): \(cell.backend) \(row.phase) \(row.metric.title)\(site)",
          isStrong: row.verdict == .regressed,
          lanes: [
            RowPlot.Lane(
              mark: (form, style, ratio, "\(row.name): \(row.movement)"),
              interval: row.comparison?.interval,
              // A ratio to or from 0 does not show how far a figure moved.
              text: ratio > 0 && ratio.isFinite ? text(ratio, row) : row.movement)
          ])
      }, tick: Wording.multiple
    ).drawing
  }

  private static func table(_ rows: [ReportRow]) -> Table {
    Table(
      columns: ["row", "verdict", "ratio", "interval", "baseline", "now"],
      rows: rows.map { row in
        let comparison = row.comparison
        // The values that the ratio was made from.
        let beside = comparison?.paired ?? comparison?.most
        let then = beside?.baseline ?? comparison?.baselineP50
        let now = beside?.now ?? row.summary?.p50
        let unit = row.metric.unit
        var texts = [then, now].map { $0.map { Wording.value($0, unit) } }
        if comparison?.difference != nil, let then, let now {
          let exact = Wording.values(then, now, unit)
          texts = [exact.0, exact.1]
        }
        let interval = comparison?.interval.map {
          "\(Wording.multiple($0.low))–\(Wording.multiple($0.high))"
        }
        return [
          Table.Cell(row.name), Table.Cell(row.verdict?.id ?? ""),
          Table.Cell(comparison?.ratio.map { text($0, row) }, comparison?.ratio),
          Table.Cell(interval), Table.Cell(texts[0], then), Table.Cell(texts[1], now),
        ]
      })
  }

  /// Returns a multiple, or a percentage if an exact figure moved too little for a multiple.
  private static func text(_ ratio: Double, _ row: ReportRow) -> String {
    let multiple = Wording.multiple(ratio)
    let isHidden =
      row.comparison?.difference != nil && ratio != 1 && multiple == Wording.multiple(1)
    return isHidden ? Wording.change(ratio, row.metric) : multiple
  }
}
