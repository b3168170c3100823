import BenchAnalysis

/// How far to trust the figures.
enum ConclusionSection {
  /// How many a terminal shows.
  private static let most = 6
  /// How many hints a terminal shows apart from warnings.
  private static let mostHints = 3

  /// The conclusions, worst first.
  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    parts("Before you trust it", report.conclusions, most: medium == .terminal ? most : .max)
  }

  /// Errors and warnings alone.
  static func warnings(_ report: Report, most: Int) -> [Part] {
    parts("Before you trust it", report.conclusions.filter { $0.severity >= .warning }, most: most)
  }

  /// Hints alone.
  static func hints(_ report: Report, on medium: Medium) -> [Part] {
    parts(
      "Good to know", report.conclusions.filter { $0.severity < .warning },
      most: medium == .terminal ? mostHints : .max)
  }

  /// So many of the conclusions, and how many more there are.
  private static func parts(_ title: String, _ conclusions: [Conclusion], most: Int) -> [Part] {
    guard !conclusions.isEmpty else { return [] }
    let shown = conclusions.prefix(most).map { "\($0.severity.rawValue): \($0.text)" }
    let rest = conclusions.count - shown.count
    let more = rest > 0 ? ["and \(Wording.count(Double(rest))) more in report.md"] : []
    return [.heading(title), .list(shown + more)]
  }
}
