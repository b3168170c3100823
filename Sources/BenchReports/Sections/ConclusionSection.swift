import BenchAnalysis

/// How far to trust the figures.
enum ConclusionSection {
  /// How many a terminal shows.
  private static let most = 6

  /// The conclusions, worst first.
  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    guard !report.conclusions.isEmpty else { return [] }
    let items = report.conclusions.map { "\($0.severity.rawValue): \($0.text)" }
    let shown = medium == .terminal ? Array(items.prefix(most)) : items
    let rest = items.count - shown.count
    let more = rest > 0 ? ["and \(Wording.count(Double(rest))) more in report.md"] : []
    return [.heading("Before you trust it"), .list(shown + more)]
  }
}
