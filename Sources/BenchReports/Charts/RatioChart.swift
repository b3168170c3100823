import BenchAnalysis
import BenchResults

/// How far figures moved from a baseline's, with their intervals, those that were flagged first.
enum RatioChart {
  /// How many rows are drawn: what is unchanged beyond that is in the table alone.
  private static let most = 40

  /// Nil without a baseline, or where no figure can be drawn.
  static func chart(_ report: Report) -> Chart? {
    let rows = report.rows.filter { row in
      row.series.isJudged && isDrawn(row.verdict) && place(row) != nil
        && (row.metric.isTime || row.verdict != .unchanged)
    }
    let ordered = rows.sorted { rank($0) < rank($1) }
    let shown = Array(ordered.prefix(most))
    guard !shown.isEmpty else { return nil }
    let isOfSeveral = report.groups.count > 1
    return Chart(
      "ratios", title: "Against the baseline",
      sentence: sentence(report, shown, undrawn: rows.count - shown.count),
      drawing(shown, isOfSeveral: isOfSeveral), table: table(ordered))
  }

  private static func isDrawn(_ verdict: Verdict?) -> Bool {
    switch verdict {
    case nil, .new, .missing, .belowFloor: false
    default: true
    }
  }

  /// How many figures differ, and which of them are not drawn.
  private static func found(_ report: Report, _ shown: [ReportRow]) -> String {
    let flagged = report.rows.filter { [.regressed, .improved].contains($0.verdict) }
    let drawn = Set(shown.map(\.series.key))
    let others = flagged.filter { !drawn.contains($0.series.key) }.map(\.name)
    let count =
      "\(Wording.plural(flagged.count, "figure")) \(flagged.count == 1 ? "differs" : "differ")"
    if flagged.isEmpty { return "No figure was found to differ." }
    if others.isEmpty { return "\(count), first in the chart." }
    if others.count == flagged.count { return "\(count), not drawn: \(Wording.list(others))." }
    return
      "\(count), \(Wording.count(flagged.count - others.count)) of them first in the chart; "
      + "not drawn: \(Wording.list(others))."
  }

  /// All figures count, whether or not they can be drawn.
  private static func sentence(_ report: Report, _ shown: [ReportRow], undrawn: Int) -> String {
    func count(_ verdict: Verdict) -> Int { report.rows.count { $0.verdict == verdict } }
    let (missing, wrong) = (count(.missing), count(.belowFloor))
    let undecided = report.inconclusive.count
    let doubt =
      undecided == 0
      ? ""
      : " \(Wording.plural(undecided, "figure")) \(undecided == 1 ? "was" : "were") not decided."
    let lost =
      missing == 0
      ? ""
      : " \(Wording.plural(missing, "figure")) of the baseline \(missing == 1 ? "is" : "are") missing."
    let untrue =
      wrong == 0
      ? ""
      : " \(Wording.plural(wrong, "time")) below the floor cannot be true, and \(wrong == 1 ? "is" : "are") not drawn."
    let paired =
      report.rows.contains { $0.comparison?.paired != nil }
      ? " Beside a ratio of pairs stand the baseline's median of those pairs, and that times the ratio."
      : ""
    return found(report, shown) + doubt + lost + untrue
      + " Right of the line is more than in the baseline; a whisker is the interval at 95 %, and an arrow says that "
      + "it goes on." + paired + (undrawn > 0 ? " \(undrawn) more are in the table alone." : "")
  }

  /// Now over then, without a bound where it was 0; nil where nobody knows, and where none was made.
  private static func place(_ row: ReportRow) -> Double? {
    guard let comparison = row.comparison else { return nil }
    if let ratio = comparison.ratio, ratio > 0 { return ratio }
    guard let then = comparison.baselineP50, let now = row.summary?.p50, then != now,
      then == 0 || now == 0
    else { return nil }
    return now > then ? .infinity : 0
  }

  /// Flagged rows, then undecided ones, then the others; the furthest from 1 first.
  private static func rank(_ row: ReportRow) -> (Int, Double) {
    let kind =
      switch row.verdict {
      case .regressed: 0
      case .improved: 1
      case .inconclusive: 2
      default: 3
      }
    let ratio = place(row) ?? 1
    return (kind, -max(ratio, 1 / ratio))
  }

  private static func drawing(_ rows: [ReportRow], isOfSeveral: Bool) -> Drawing {
    var drawing = Drawing()
    let ratios = rows.compactMap(place).filter { $0 > 0 && $0.isFinite }
    // A wild interval would press all others together: it ends in an arrow.
    let reach = max(ratios.map { max($0, 1 / $0) }.max() ?? 1, 1.05) * 1.2
    let axis = Axis(logarithmicOver: [1 / reach, reach], from: 8, to: 352)
    let bottom = 4 + Double(rows.count) * 30
    drawing.horizontalAxis(axis, top: 4, bottom: bottom) { Wording.multiple($0) }
    drawing.line(axis.place(1), 4, axis.place(1), bottom, style: "axis")
    for (number, row) in rows.enumerated() {
      guard let ratio = place(row) else { continue }
      let y = 4 + Double(number) * 30
      let cell = row.cell
      let site = isOfSeveral ? " · \(cell.menu) \(cell.workload) \(cell.durability)" : ""
      drawing.text(
        "\(row.verdict?.id ?? ""): \(cell.backend) \(row.phase) \(row.metric.title)\(site)", 8,
        y + 11,
        style: row.verdict == .regressed ? "strong" : "", room: 344)
      drawing.whiskers(row.comparison?.interval.map { [($0, y + 21)] } ?? [], on: axis)
      let (mark, fill): (Drawing.Mark, String) =
        switch row.verdict {
        case .regressed: (.triangle, "fill5")
        case .improved: (.diamond, "fill2")
        case .inconclusive: (.square, "fill3")
        default: (.circle, "fill7")
        }
      let x = axis.place(ratio)
      drawing.mark(mark, x, y + 21, style: fill, note: "\(row.name): \(row.movement)")
      // No ratio says how far it is from 0, or to it.
      guard !axis.reaches(ratio) else { continue }
      let isLeft = ratio < 1
      drawing.text(
        row.movement, x + (isLeft ? 9 : -9), y + 25, anchor: isLeft ? .start : .end, style: "small")
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
        // Those that the ratio is of.
        let beside = comparison?.paired ?? comparison?.most
        let then = beside?.baseline ?? comparison?.baselineP50
        let now = beside?.now ?? row.summary?.p50
        let isExact = comparison?.difference != nil
        var texts = (then: then.map { text($0, row) }, now: now.map { text($0, row) })
        if isExact, let then, let now { texts = Wording.values(then, now, row.metric.unit) }
        func figure(_ value: Double?, _ text: String?) -> ChartTable.Value {
          value.flatMap { value in text.map { ChartTable.Value($0, value) } } ?? "—"
        }
        return [
          ChartTable.Value(row.name), ChartTable.Value(row.verdict?.id ?? ""),
          figure(comparison?.ratio, comparison?.ratio.map { ratioText($0, row, isExact) }),
          ChartTable.Value(interval ?? "—"),
          figure(then, texts.then), figure(now, texts.now),
        ]
      })
  }

  private static func text(_ value: Double, _ row: ReportRow) -> String {
    Wording.value(value, row.metric.unit)
  }

  /// A multiple; of an exact figure that moved by less than shows in one, by how many per cent.
  private static func ratioText(_ ratio: Double, _ row: ReportRow, _ isExact: Bool) -> String {
    let multiple = Wording.multiple(ratio)
    let isHidden = isExact && ratio != 1 && multiple == Wording.multiple(1)
    return isHidden ? Wording.change(ratio, row.metric) : multiple
  }
}
