import BenchAnalysis
import BenchResults

/// A group set against the baseline.
enum ComparisonSection {
  /// Every row that got better or worse, and the wall times whatever they did; the rest is counted.
  static func parts(_ group: ReportGroup) -> [Part] {
    let compared = group.rows.filter { $0.verdict != nil }
    guard !compared.isEmpty else { return [] }
    let shown = compared.filter { $0.metric.id == Metric.wall.id || isTelling($0.verdict) }
    return [
      .table(table(shown)), .paragraph("against the baseline: \(tally(compared))\(legend(shown))"),
    ]
  }

  private static func legend(_ rows: [ReportRow]) -> String {
    let isUnsure = rows.contains {
      if case .inconclusive(.wide) = $0.verdict { true } else { false }
    }
    return isUnsure ? "; shows ≥: the smallest change that this data could have shown" : ""
  }

  /// A table of rows beside the baseline's. Where there is no room for both, the reason for a doubt
  /// is worth more than the interval.
  static func table(_ rows: [ReportRow]) -> TextTable {
    let reasons = rows.map { reason($0.verdict) }
    let hasReasons = reasons.contains { !$0.isEmpty }
    return TextTable(
      columns: [
        .text("backend", shrinksTo: 8), .text("phase", shrinksTo: 8), .text("metric"),
        .number("baseline"), .number("now"), .text("change", isOptional: true),
        .text("interval", isOptional: true), .text("verdict"),
      ] + (hasReasons ? [.text("", shrinksTo: 13)] : []),
      rows: zip(rows, reasons).map { row, reason in
        [row.cell.backend, row.phase] + figures(row) + [row.verdict?.id ?? TextTable.unknown]
          + (hasReasons ? [reason] : [])
      }, isGrouped: true)
  }

  /// `2 regressed, 30 unchanged`.
  static func tally(_ rows: [ReportRow]) -> String {
    let verdicts = rows.compactMap(\.verdict?.id)
    let order = ["regressed", "improved", "missing", "new", "inconclusive", "unchanged"]
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

  private static func interval(_ interval: Interval) -> String {
    "\(Wording.multiple(interval.low).dropLast())–\(Wording.multiple(interval.high))"
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
