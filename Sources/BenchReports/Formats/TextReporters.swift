import BenchAnalysis

/// Tables for a terminal; what has no room is named.
package struct TableReporter: Reporter {
  /// The widest line where nobody says how wide the terminal is, in columns.
  package static let width = 100
  /// The widest line of a wide terminal: text in longer ones is hard to read.
  package static let mostWidth = 140
  /// So many columns that everything has room.
  package static let unlimitedWidth = 1_000_000
  /// The narrowest terminal that the tables are made for, in columns.
  package static let leastWidth = 60

  private let width: Int

  /// Makes the reporter for a terminal of so many columns, at least ``leastWidth``.
  package init(width: Int = width) { self.width = width }

  package var id: String { "table" }
  package var summary: String { "tables as wide as the terminal, units scaled for people" }

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
