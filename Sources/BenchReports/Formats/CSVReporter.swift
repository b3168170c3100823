import BenchAnalysis
import BenchResults

/// One line a cell, phase and metric, for spreadsheets and scripts.
///
/// Fields are quoted as RFC 4180 says; lines end in LF alone, which every reader of CSV takes and
/// shell tools expect. Numbers have a point and all their digits in every locale; an unknown is an
/// empty field, never 0.
package struct CSVReporter: Reporter {
  /// The first line: a contract.
  package static let header = columns.map(\.id).joined(separator: ",")

  private static let columns = ReportColumn.all.compactMap(\.csv)

  package init() {}

  package var id: String { "csv" }
  package var fileName: String? { "report.csv" }
  package var summary: String { "one line a cell, phase and metric, for spreadsheets and scripts" }

  /// The header and a line for every row, floors and control included.
  package func render(_ report: Report) -> String {
    let rows = report.rows.map { row in Self.columns.map { $0.field(row) ?? "" } }
    return Self.text([Self.columns.map(\.id)] + rows)
  }

  /// Lines of fields, each quoted where it must be.
  static func text(_ lines: [[String]]) -> String {
    lines.map { $0.map(quoted).joined(separator: ",") + "\n" }.joined()
  }

  /// Looks at scalars, since Swift takes CR LF for one character.
  private static func quoted(_ field: String) -> String {
    let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
    guard field.unicodeScalars.contains(where: special.contains) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
