import BenchAnalysis
import BenchResults

/// A group set against the baseline.
enum ComparisonSection {
  /// Every row that got better or worse, and the wall times whatever they did; the rest is counted.
  static func parts(_ group: ReportGroup) -> [Part] {
    let compared = group.rows.filter { $0.verdict != nil }
    guard !compared.isEmpty else { return [] }
    let shown = compared.filter { $0.metric.id == Metric.wall.id || isTelling($0.verdict) }
    let legend = legend(shown)
    return (shown.isEmpty ? [] : [.table(table(shown))])
      + [
        .paragraph(
          "against the baseline: \(tally(compared))\(legend.isEmpty ? "" : "; \(legend)")")
      ]
  }

  /// What is said of rows with a smallest change; empty of rows without.
  static func legend(_ rows: [ReportRow]) -> String {
    let isUnsure = rows.contains {
      if case .inconclusive(.wide) = $0.verdict { true } else { false }
    }
    return isUnsure ? "shows ≥: the smallest change that this data could have shown" : ""
  }

  /// A table of rows beside the baseline's. Where there is no room for both, the reason for a doubt
  /// is worth more than the interval. A compact one names no metric where all rows have the same.
  static func table(_ rows: [ReportRow], isCompact: Bool = false) -> TextTable {
    let namesMetric = !isCompact || Set(rows.map(\.metric.id)).count > 1
    let reasons = rows.map { reason($0.verdict) }
    let hasReasons = reasons.contains { !$0.isEmpty }
    return TextTable(
      columns: [
        .text("backend", shrinksTo: 8), .text("phase", shrinksTo: 8),
        .text("metric", isOptional: true), .number("baseline"), .number("now"),
        .text("change", isOptional: true), .text("interval", isOptional: true), .text("verdict"),
      ] + (hasReasons ? [.text("", shrinksTo: 13)] : []),
      rows: zip(rows, reasons).map { row, reason in
        let figures = figures(row)
        return [row.cell.backend, row.phase, namesMetric ? figures[0] : ""] + figures.dropFirst()
          + [row.verdict?.id ?? TextTable.unknown] + (hasReasons ? [reason] : [])
      }, isGrouped: true)
  }

  /// `2 regressed, 30 unchanged`.
  static func tally(_ rows: [ReportRow]) -> String {
    let verdicts = rows.compactMap(\.verdict?.id)
    let order = ["regressed", "missing", "improved", "unchanged", "inconclusive", "new"]
    return order.compactMap { id in
      let count = verdicts.count { $0 == id }
      return count > 0 ? "\(Wording.count(Double(count))) \(id)" : nil
    }.joined(separator: ", ")
  }

  /// The metric, then, now, the change and its interval.
  static func figures(_ row: ReportRow) -> [String] {
    let (unit, comparison) = (row.metric.unit, row.comparison)
    return [
      row.metric.title,
      comparison?.baselineP50.map { Wording.value($0, unit) } ?? TextTable.unknown,
      row.summary.map { Wording.value($0.p50, unit) } ?? TextTable.unknown,
      comparison.flatMap { Wording.change($0, row.metric) } ?? TextTable.unknown,
      comparison?.interval.map(interval) ?? TextTable.unknown,
    ]
  }

  /// Turned over where all of it is below 1, as the change is: `1.16× faster` lies in `1.15–1.17×`.
  private static func interval(_ interval: Interval) -> String {
    let isTurned = interval.high < 1 && interval.low > 0
    let low = isTurned ? 1 / interval.high : interval.low
    let high = isTurned ? 1 / interval.low : interval.high
    return "\(Wording.multiple(low).dropLast())–\(Wording.multiple(high))"
  }

  private static func isTelling(_ verdict: Verdict?) -> Bool {
    switch verdict {
    case .regressed, .improved, .inconclusive(.notExact), .inconclusive(.unconfirmed): true
    default: false
    }
  }

  /// Why the verdict is none; empty of one that is.
  static func reason(_ verdict: Verdict?) -> String {
    guard case .inconclusive(let doubt) = verdict else { return "" }
    return Wording.doubt(doubt)
  }
}
