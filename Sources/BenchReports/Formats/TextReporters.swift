import BenchAnalysis

/// Tables for a terminal, never wider than 100 columns.
package struct TableReporter: Reporter {
  /// The widest line, in terminal columns.
  package static let width = 100
  /// The narrowest terminal that the tables are made for, in columns.
  package static let leastWidth = 60

  private let width: Int

  /// Makes the reporter for a terminal of so many columns, within ``leastWidth`` and ``width``.
  package init(width: Int = width) { self.width = width }

  package var id: String { "table" }
  package var summary: String { "tables for a terminal of 100 columns, units scaled for people" }

  /// The report as lines of text.
  package func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .terminal).text(width: width)
  }
}

/// Tables as GitHub renders them, the worst regressions first.
package struct MarkdownReporter: Reporter {
  package init() {}

  package var id: String { "markdown" }
  package var fileName: String? { "report.md" }
  package var summary: String { "tables for GitHub, regressions first" }

  /// The report in GitHub-flavoured Markdown.
  package func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .page).markdown
  }
}
