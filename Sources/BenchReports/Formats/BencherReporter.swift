import Basics
import BenchAnalysis
import BenchResults

/// Bencher Metric Format: benchmark name, measure, `value` with `lower_value` and `upper_value`.
///
/// A benchmark is a cell's phase, a measure a metric's id with hyphens; wall time is `latency`, which
/// Bencher knows as nanoseconds. Thresholds there watch every series, so floors and the control stay
/// out. Bounds are the median's interval and absent where unknown.
///
/// Source: Bencher's reference "Bencher Metric Format (BMF)". Names take 1,024 bytes, measures 64:
/// longer ones end in a checksum of the whole.
package struct BencherReporter: Reporter {
  private static let longestName = 1_024
  private static let longestMeasure = 64

  package init() {}

  package var id: String { "bencher" }
  package var summary: String { "Bencher Metric Format, for Bencher's json adapter" }

  /// An object with a benchmark for every judged phase that has figures.
  ///
  /// - Throws: `EncodingError` where a value is no finite number.
  package func render(_ report: Report) throws -> String {
    let phases = PhaseRows.all(report.figureRows.filter(\.series.isJudged))
    return try JSONText.object(phases.map { (Self.name($0), Self.measures($0)) })
  }

  private static func name(_ phase: PhaseRows) -> String {
    "\(phase.cell)/\(phase.phase)".displayable.bounded(toBytes: longestName)
  }

  private static func measures(_ phase: PhaseRows) -> [String: Value] {
    let measures = phase.rows.compactMap { row in
      row.summary.map { (measure(row.metric), Value($0)) }
    }
    return Dictionary(measures) { first, _ in first }
  }

  private static func measure(_ metric: Metric) -> String {
    guard metric.id != Metric.wall.id else { return "latency" }
    let slug = metric.id.split(separator: "_").joined(separator: "-")
    guard !slug.isEmpty else { return "unnamed" }
    return slug.percentEncoded(also: []).bounded(toBytes: longestMeasure)
  }

  private struct Value: Encodable {
    var value: Double
    var lowerValue: Double?
    var upperValue: Double?

    init(_ summary: Summary) {
      value = summary.p50
      lowerValue = summary.interval?.low.finite
      upperValue = summary.interval?.high.finite
    }

    private enum CodingKeys: String, CodingKey {
      case value
      case lowerValue = "lower_value"
      case upperValue = "upper_value"
    }
  }
}
