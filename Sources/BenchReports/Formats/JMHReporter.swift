import BenchAnalysis
import BenchResults

/// JMH's JSON, such as JMH's visualizers read: a result a cell's phase, a fork a block.
///
/// The benchmark is `bench.WORKLOAD.PHASE`, what else makes the cell its params; wall time is the
/// primary metric, the others are secondary. Floors and the control are phases by name. Unlike JMH's
/// mean and 99.9 % interval, the score is the median of block medians with its 95 % interval;
/// `"NaN"` is JMH's own word for an unknown. Warm-ups are not in the record, so they are absent.
///
/// Source: JMH's `JSONResultFormat`. In names and params white space, `=` and `%` are
/// percent-encoded, in names also the dot: visualizers split at them.
package struct JMHReporter: Reporter {
  package init() {}

  package var id: String { "jmh" }
  package var summary: String { "JMH's JSON result, for JMH visualizers; a block is a fork" }

  /// An array with a result for every phase that has figures.
  ///
  /// - Throws: `EncodingError` where a value is no finite number.
  package func render(_ report: Report) throws -> String {
    try JSONText.array(PhaseRows.all(report.figureRows).compactMap(JMHResult.init))
  }
}

/// One result of JMH's JSON.
struct JMHResult: Encodable {
  var benchmark: String
  var mode: String
  var threads = 1
  var forks: Int
  var measurementIterations: Int
  var measurementBatchSize = 1
  var params: [String: String]
  var primaryMetric: JMHMetric
  var secondaryMetrics: [String: JMHMetric]

  /// Nil of a phase without figures.
  init?(_ phase: PhaseRows) {
    guard
      let primary = phase.rows.first(where: { $0.metric.id == Metric.wall.id })
        ?? phase.rows.first, let metric = JMHMetric(primary)
    else { return nil }
    benchmark = ["bench", phase.cell.workload, phase.phase].map(Self.name).joined(separator: ".")
    mode = primary.metric.better == .lower ? "avgt" : "thrpt"
    forks = metric.rawData.count
    measurementIterations = metric.rawData.map(\.count).max() ?? 0
    params = [
      "backend": phase.cell.backend, "menu": phase.cell.menu, "durability": phase.cell.durability,
    ].mapValues { $0.percentEncoded(also: ["="]) }
    primaryMetric = metric
    let others = phase.rows.filter { $0.metric.id != primary.metric.id }
    secondaryMetrics = Dictionary(
      others.compactMap { row in JMHMetric(row).map { (row.metric.id, $0) } }
    ) { first, _ in first }
  }

  private static func name(_ id: String) -> String { id.percentEncoded(also: ["=", "."]) }
}

/// One metric of a JMH result.
struct JMHMetric: Encodable {
  var score: Double
  var scoreError: JMHNumber
  var scoreConfidence: [JMHNumber]
  var scorePercentiles: [String: Double]
  var scoreUnit: String
  var rawData: [[Double]]

  init?(_ row: ReportRow) {
    guard let summary = row.summary else { return nil }
    score = summary.p50
    scoreError = JMHNumber(summary.halfWidth)
    scoreConfidence = [summary.interval?.low, summary.interval?.high].map(JMHNumber.init)
    scorePercentiles = [
      "0.0": summary.min, "50.0": summary.p50, "90.0": summary.p90, "99.0": summary.p99,
      "100.0": summary.max,
    ]
    scoreUnit = row.metric.unit.rawValue + "/op"
    rawData = row.series.blocks.filter { !$0.isEmpty }
  }
}

/// A number as JMH writes it: `"NaN"` where it is unknown.
struct JMHNumber: Encodable {
  var value: Double?

  init(_ value: Double?) { self.value = value?.finite }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encode("NaN") }
  }
}
