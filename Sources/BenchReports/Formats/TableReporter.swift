import BenchAnalysis

/// Tables for a terminal, never wider than 100 columns.
public struct TableReporter: Reporter {
  /// The widest line, in terminal columns.
  public static let width = 100

  /// Makes the reporter.
  public init() {}

  /// `table`.
  public var id: String { "table" }
  /// `report.txt`.
  public var fileName: String? { nil }
  /// What it is for.
  public var summary: String { "tables for a terminal of 100 columns, units scaled for people" }

  /// The report as lines of text.
  public func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .terminal).map { $0.text(width: Self.width) }
      .joined(separator: "\n")
  }
}
