import BenchAnalysis

/// Tables for a terminal, never wider than 100 columns.
public struct TableReporter: Reporter {
  /// The widest line, in terminal columns.
  public static let width = 100
  /// The narrowest terminal that the tables are made for, in columns.
  public static let leastWidth = 60

  private let width: Int

  /// Makes the reporter for a terminal of so many columns: taken for ``leastWidth`` where it has
  /// fewer, and for ``width`` where it has more.
  public init(width: Int = width) {
    self.width = min(max(width, Self.leastWidth), Self.width)
  }

  /// `table`.
  public var id: String { "table" }
  /// `report.txt`.
  public var fileName: String? { nil }
  /// What it is for.
  public var summary: String { "tables for a terminal of 100 columns, units scaled for people" }

  /// The report as lines of text.
  public func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .terminal).map { $0.text(width: width) }
      .joined(separator: "\n")
  }
}

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
