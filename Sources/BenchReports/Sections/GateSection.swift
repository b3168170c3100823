import BenchAnalysis
import BenchResults

/// What a gate's reader wants of its figures on a terminal: each time beside the baseline's, and how
/// many figures are as they were.
enum GateSection {
  /// A table of judged times a group, and a line on the exact figures.
  static func parts(_ report: Report) -> [Part] {
    report.groups.flatMap(times) + exact(report)
  }

  private static func times(_ group: ReportGroup) -> [Part] {
    let rows = group.rows.filter { $0.metric.isTime && $0.summary != nil && $0.isDecided }
    guard !rows.isEmpty else { return [] }
    return [
      .heading(ReportDocument.title(group)), .table(ComparisonSection.table(rows, isCompact: true)),
    ]
  }

  /// `118 exact figures unchanged`.
  private static func exact(_ report: Report) -> [Part] {
    let rows = report.rows.filter { $0.comparison?.difference != nil && $0.isDecided }
    guard !rows.isEmpty else { return [] }
    let tally =
      rows.allSatisfy { $0.verdict == .unchanged }
      ? "\(Wording.plural(rows.count, "exact figure")) unchanged"
      : "exact figures: \(ComparisonSection.tally(rows))"
    return [.paragraph("\(tally); the formats markdown and csv show every figure")]
  }
}

extension ReportRow {
  /// Whether it was really compared and judged.
  var isDecided: Bool {
    switch verdict {
    case .regressed, .improved, .unchanged, .inconclusive: true
    case .new, .missing, nil: false
    }
  }
}
