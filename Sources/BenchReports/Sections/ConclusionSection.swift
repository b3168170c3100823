import BenchAnalysis

/// How far to trust the figures.
enum ConclusionSection {
  /// How many a terminal shows.
  private static let most = 6

  /// The conclusions, worst first.
  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    parts(report.conclusions, most: medium == .terminal ? most : .max)
  }

  /// So many of the conclusions, and how many more there are.
  static func parts(_ conclusions: [Conclusion], most: Int) -> [Part] {
    guard !conclusions.isEmpty else { return [] }
    let shown = conclusions.prefix(most).map { "\($0.severity.rawValue): \($0.text)" }
    let rest = conclusions.count - shown.count
    let more = rest > 0 ? ["and \(Wording.count(Double(rest))) more in report.md"] : []
    return [.heading("Before you trust it"), .list(shown + more)]
  }
}
