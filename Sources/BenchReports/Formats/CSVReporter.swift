import BenchAnalysis
import BenchResults

/// One line a cell, phase and metric, for spreadsheets and scripts.
///
/// Fields are quoted as RFC 4180 says; lines end in LF alone, which every reader of CSV takes and
/// shell tools expect. Numbers have a point and all their digits in every locale; an unknown is an
/// empty field, never 0.
public struct CSVReporter: Reporter {
  /// The first line: a contract.
  public static let header = [
    "backend", "menu", "workload", "durability", "phase", "metric", "unit", "samples", "min", "p50",
    "mean", "p90", "p99", "max", "stddev", "ci_low", "ci_high", "floor_ratio", "baseline_p50",
    "ratio", "ratio_low", "ratio_high", "verdict",
  ].joined(separator: ",")

  /// Makes the reporter.
  public init() {}

  /// `csv`.
  public var id: String { "csv" }
  /// `report.csv`.
  public var fileName: String? { "report.csv" }
  /// What it is for.
  public var summary: String { "one line a cell, phase and metric, for spreadsheets and scripts" }

  /// The header and a line for every row, floors and control included.
  public func render(_ report: Report) -> String {
    let lines = report.rows.map { Self.fields($0).joined(separator: ",") }
    return ([Self.header] + lines).joined(separator: "\n") + "\n"
  }

  private static func fields(_ row: ReportRow) -> [String] {
    [
      row.cell.backend, row.cell.menu, row.cell.workload, row.cell.durability, row.phase,
      row.metric.id, row.metric.unit.rawValue,
    ].map(quoted) + figures(row.summary) + [number(row.floorRatio)] + comparison(row.comparison)
  }

  private static func figures(_ summary: Summary?) -> [String] {
    [
      summary.map { Double($0.samples) }, summary?.min, summary?.p50, summary?.mean, summary?.p90,
      summary?.p99, summary?.max, summary?.standardDeviation, summary?.interval?.low,
      summary?.interval?.high,
    ].map(number)
  }

  private static func comparison(_ row: RowComparison?) -> [String] {
    [row?.baselineP50, row?.ratio, row?.interval?.low, row?.interval?.high].map(number)
      + [row?.verdict?.id ?? ""]
  }

  private static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "" }
    return value.digits
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
