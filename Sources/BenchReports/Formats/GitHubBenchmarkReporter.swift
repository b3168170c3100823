import Basics
import BenchAnalysis
import BenchResults

/// What github-action-benchmark reads as `customSmallerIsBetter`, to draw and watch figures over
/// commits.
///
/// That action raises an alarm on every series that it is given, so floors and the control, which
/// move with the machine alone, stay out. `value` is the median, `range` the longer arm of its
/// interval; an unknown one is absent.
///
/// Source: github-action-benchmark's README and `src/extract.ts`, `BenchmarkResult`.
package struct GitHubBenchmarkReporter: Reporter {
  package init() {}

  package var id: String { "github-benchmark" }
  package var summary: String { "JSON for github-action-benchmark's customSmallerIsBetter" }

  /// An array with an entry for every judged row that has figures.
  ///
  /// - Throws: ``FormatError`` where larger is better of a metric.
  package func render(_ report: Report) throws -> String {
    try JSONText.array(report.figureRows.filter(\.series.isJudged).compactMap(entry))
  }

  private func entry(_ row: ReportRow) throws -> Entry? {
    guard let summary = row.summary else { return nil }
    guard row.metric.better == .lower else {
      throw FormatError.largerIsBetter(format: id, metric: row.metric.id)
    }
    return Entry(
      name: "\(row.cell) \(row.phase) \(row.metric.id)".displayable,
      unit: row.metric.unit.rawValue, value: summary.p50,
      range: summary.halfWidth?.finite.map { "± " + $0.digits },
      extra: "\(Wording.plural(summary.samples, "sample"))"
        + " in \(Wording.plural(summary.blocks, "block"))")
  }

  private struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    var range: String?
    var extra: String
  }
}
