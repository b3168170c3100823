import Basics
import BenchAnalysis
import BenchResults

/// One line per cell, phase and metric, for spreadsheets and scripts.
///
/// Fields are quoted by RFC 4180. Lines end in LF alone, which every CSV reader accepts and shell
/// tools expect. Numbers have a point and all their digits in every locale. An unknown is an empty
/// field, never 0. Texts are changed, reversibly, so that spreadsheets do not read them as
/// formulas: see ``text(_:)``.
package struct CSVReporter: Reporter {
  /// The first line, which is a contract.
  private static let header = columns.map(\.id).joined(separator: ",")

  private typealias Column = (id: String, field: @Sendable (ReportRow) -> String?)

  /// Every column. A nil field is an unknown.
  private static let columns: [Column] = [
    ("backend", { $0.cell.backend }),
    ("menu", { $0.cell.menu }),
    ("workload", { $0.cell.workload }),
    ("durability", { $0.cell.durability }),
    ("phase", { $0.phase }),
    ("metric", { $0.metric.id }),
    ("unit", { $0.metric.unit.rawValue }),
    ("samples", { $0.summary.map { "\($0.samples)" } }),
    figure("min") { $0.summary?.min },
    figure("p50") { $0.summary?.p50 },
    figure("mean") { $0.summary?.mean },
    figure("p90") { $0.summary?.p90 },
    figure("p99") { $0.summary?.p99 },
    figure("max") { $0.summary?.max },
    figure("stddev") { $0.summary?.standardDeviation },
    figure("ci_low") { $0.summary?.interval?.low },
    figure("ci_high") { $0.summary?.interval?.high },
    figure("floor_ratio") { $0.floorRatio },
    figure("baseline_p50") { $0.comparison?.baselineP50 },
    figure("ratio") { $0.comparison?.ratio },
    figure("ratio_low") { $0.comparison?.interval?.low },
    figure("ratio_high") { $0.comparison?.interval?.high },
    ("verdict", { $0.verdict?.id }),
  ]

  /// Makes a column of numbers with all digits. Unknowns and values that are not finite are empty.
  private static func figure(
    _ id: String, _ value: @escaping @Sendable (ReportRow) -> Double?
  ) -> Column {
    (id, { value($0)?.finite?.digits })
  }

  package init() {}

  package var id: String { "csv" }
  package var fileName: String? { "report.csv" }
  package var summary: String { "a line per cell, phase and metric, for spreadsheets and scripts" }

  /// Writes the header and a line for every row, floors and the control included, then for every sum of phases.
  package func render(_ report: Report) -> String {
    let rows = (report.rows + report.costRows).map { row in
      Self.columns.map { $0.field(row) ?? "" }
    }
    return Self.header + "\n" + Self.text(rows)
  }

  /// Returns lines of fields, escaped and quoted if necessary.
  ///
  /// In texts a control character becomes its number, `\u{1b}`, and a backslash becomes two. A text
  /// that begins like a formula, or with an apostrophe, gets an apostrophe in front. Numbers stay
  /// as they are.
  ///
  /// Source: OWASP, "CSV Injection".
  static func text(_ lines: [[String]]) -> String {
    lines.map { $0.map { quoted(escaped($0)) }.joined(separator: ",") + "\n" }.joined()
  }

  private static func escaped(_ field: String) -> String {
    guard let first = field.unicodeScalars.first, Double(field)?.isFinite != true else {
      return field
    }
    var text = "=+-@'".unicodeScalars.contains(first) ? "'" : ""
    for scalar in field.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        if scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func quoted(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return field }
    return "\"" + field.replacing(["\"": "\"\""]) + "\""
  }
}
