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
    render(width: width) {
      ChoiceDocument.parts(of: choice, on: $0)
    } csv: {
      ChoiceCSV.render(choice)
    }
  }

  /// The same of how costs grow.
  public func render(_ scale: ScaleReport, width: Int = TableReporter.width) -> String {
    render(width: width) {
      ScaleDocument.parts(of: scale, on: $0)
    } csv: {
      ScaleCSV.render(scale)
    }
  }

  private func render(
    width: Int, parts: (Medium) -> [Part], csv: () -> String
  ) -> String {
    switch self {
    case .table:
      let width = min(max(width, TableReporter.leastWidth), TableReporter.width)
      return parts(.terminal).map { $0.text(width: width) }.joined(separator: "\n")
    case .markdown: return parts(.page).map(\.markdown).joined(separator: "\n")
    case .csv: return csv()
    }
  }
}
