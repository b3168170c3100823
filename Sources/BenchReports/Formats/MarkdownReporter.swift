import BenchAnalysis

/// Tables as GitHub renders them, the worst regressions first.
public struct MarkdownReporter: Reporter {
  /// Makes the reporter.
  public init() {}

  /// `markdown`.
  public var id: String { "markdown" }
  /// `report.md`.
  public var fileName: String? { "report.md" }
  /// What it is for.
  public var summary: String { "tables for GitHub, regressions first" }

  /// The report in GitHub-flavoured Markdown.
  public func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .page).map(\.markdown).joined(separator: "\n")
  }
}
