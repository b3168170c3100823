import BenchAnalysis

/// How far to trust the figures.
enum ConclusionSection {
  /// The conclusions, worst first.
  static func parts(_ report: Report) -> [Part] {
    guard !report.conclusions.isEmpty else { return [] }
    let items = report.conclusions.map { "\($0.severity.rawValue): \($0.text)" }
    return [.heading("Before you trust it"), .list(items)]
  }
}
