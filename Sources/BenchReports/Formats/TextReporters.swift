import BenchAnalysis

/// Tables for a terminal. Columns that do not fit are named.
package struct TableReporter: Reporter {
  private let terminal: Terminal

  /// Makes the reporter for a terminal of so many columns, at least ``Terminal/leastWidth``.
  /// Verdicts are coloured if it has colours.
  package init(width: Int = Terminal.usualWidth, hasColours: Bool = false) {
    terminal = Terminal(width: width, hasColours: hasColours)
  }

  package var id: String { "table" }
  package var summary: String { "tables as wide as the terminal, units scaled for people" }

  package func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .terminal).text(on: terminal)
  }
}

/// Tables as GitHub renders them, the worst regressions first.
package struct MarkdownReporter: Reporter {
  package init() {}

  package var id: String { "markdown" }
  package var fileName: String? { "report.md" }
  package var summary: String { "tables for GitHub, regressions first" }

  package func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .page).markdown
  }
}
