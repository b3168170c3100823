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
    let lines = report.rows.map { row in
      Self.columns.map { Self.quoted($0.field(row) ?? "") }.joined(separator: ",")
    }
    return ([Self.header] + lines).joined(separator: "\n") + "\n"
  }

  /// Looks at scalars, since Swift takes CR LF for one character.
  static func quoted(_ field: String) -> String {
    let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
    guard field.unicodeScalars.contains(where: special.contains) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
