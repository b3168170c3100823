import BenchAnalysis
import BenchResults

/// The first sentence of a comparison: what was compared with what, and what it came to.
enum HeadlineSection {
  /// The sentence; nothing without a baseline.
  static func parts(_ report: Report) -> [Part] {
    guard let baseline = report.baseline else { return [] }
    let names = SideNames(report.record, baseline)
    return [.headline("\(names.candidate) against \(names.baseline): \(outcome(report))")]
  }

  private static func outcome(_ report: Report) -> String {
    let tally = ComparisonSection.tally(report.rows)
    let gap = gap(report)
    let isWhole = gap == nil && !report.rows.contains { $0.verdict == .missing }
    let isPass = isWhole && report.regressions.isEmpty && report.rows.contains(where: \.isDecided)
    let texts = [
      gap, isPass ? "no regression" : nil, tally.isEmpty ? "nothing could be compared" : tally,
    ]
    return texts.compactMap { $0 }.joined(separator: ", ")
  }

  /// Cells without figures, on whichever side: no comparison that lacks them has passed.
  private static func gap(_ report: Report) -> String? {
    let failures = report.record.failures + (report.baseline?.failures ?? [])
    let cells = Set(failures.map(\.cell))
    return cells.isEmpty ? nil : "\(Wording.plural(cells.count, "cell")) not measured"
  }
}
