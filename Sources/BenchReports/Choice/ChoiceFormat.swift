import BenchAnalysis

/// A format that storages set side by side can be had in.
public enum ChoiceFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case table
  /// For a page.
  case markdown
  /// One line a menu, backend and cost.
  case csv

  /// The whole text, ending in a line break; `width` is the terminal's, in columns.
  public func render(_ choice: ChoiceReport, width: Int = TableReporter.width) -> String {
    switch self {
    case .table:
      let width = min(max(width, TableReporter.leastWidth), TableReporter.width)
      return ChoiceDocument.parts(of: choice, on: .terminal).map { $0.text(width: width) }
        .joined(separator: "\n")
    case .markdown:
      return ChoiceDocument.parts(of: choice, on: .page).map(\.markdown).joined(separator: "\n")
    case .csv: return ChoiceCSV.render(choice)
    }
  }
}
