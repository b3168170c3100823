import BenchAnalysis
import BenchResults

/// What got worse, before anything else.
enum FlagSection {
  /// How many regressions are listed where the tables further down and the CSV have all.
  static let most = 20

  /// The tally and the regressions, the worst first; nothing without a baseline.
  static func parts(_ report: Report, most: Int = most) -> [Part] {
    guard let baseline = report.baseline else { return [] }
    let tally = ComparisonSection.tally(report.rows)
    let summary = tally.isEmpty ? "nothing could be compared" : tally
    let line = Part.paragraph("against the run of \(baseline.settings.started): \(summary)")
    let worst = report.regressions
    guard !worst.isEmpty else { return [line] }
    let rest = worst.count - most
    let more = rest > 0 ? ["and \(Wording.plural(rest, "more regression"))"] : []
    return [
      .heading("\(Wording.plural(worst.count, "regression")), worst first"),
      .list(worst.prefix(most).map(flag) + more), line,
    ]
  }

  private static func flag(_ row: ReportRow) -> String {
    "regressed: \(row.cell) \(row.phase) \(row.metric.title): \(change(row))"
  }

  /// How much a row moved, where that has a ratio, and from where to where:
  /// `1.25× slower (1.24–1.26×), 51.0 ms → 63.7 ms`.
  static func change(_ row: ReportRow) -> String {
    let figures = ComparisonSection.figures(row)
    let interval = row.comparison?.interval == nil ? "" : " (\(figures[4]))"
    let ratio = row.comparison?.ratio == nil ? "" : "\(figures[3])\(interval), "
    return "\(ratio)\(figures[1]) → \(figures[2])"
  }
}
