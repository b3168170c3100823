import Basics
import BenchAnalysis
import BenchResults

/// JMH's JSON, such as JMH's visualizers read: a result a cell's phase, a fork a block.
///
/// The benchmark is `bench.WORKLOAD.PHASE`, what else makes the cell its params; wall time is the
/// primary metric, the others are secondary. Floors and the control are phases by name. The mode is
/// `ss`, a single shot an iteration, and so what JMH makes of one: the score is the mean of all
/// samples, its error and confidence are of 99.9 %. Unlike JMH's they count blocks, not iterations,
/// and take six at least; `"NaN"` is JMH's own word for an unknown. Percentiles are type 7, as in all
/// other formats, where JMH's own lie a little further out (type 6). Warm-ups are not in the record,
/// so they are absent, and so is a phase whose time cannot be true: see ``Report/belowFloor``.
///
/// Source: JMH's `JSONResultFormat`, `SingleShotResult` and `Statistics.getMeanErrorAt`. In names and params white space, `=` and `%` are
/// percent-encoded, in names also the dot: visualizers split at them.
package struct JMHReporter: Reporter {
  package init() {}

  package var id: String { "jmh" }
  package var summary: String { "JMH's JSON result, for JMH visualizers; a block is a fork" }

  /// An array with a result for every phase that has figures.
  ///
  /// - Throws: `EncodingError` where a value is no finite number.
  package func render(_ report: Report) throws -> String {
    let refused = Set(
      report.belowFloor.map { Series.Key(cell: $0.cell, phase: $0.phase, metric: "") })
    let phases = PhaseRows.all(report.figureRows).filter {
      !refused.contains(Series.Key(cell: $0.cell, phase: $0.phase, metric: ""))
    }
    return try JSONText.array(phases.compactMap(JMHResult.init))
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
    mode = primary.metric.better == .lower ? "ss" : "thrpt"
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
    let samples = row.series.blocks.flatMap { $0 }
    let error =
      row.metric.isExact
      ? nil : Statistics.meanError(of: row.series.blocks.compactMap(Statistics.mean), level: 0.999)
    score = summary.mean
    scoreError = JMHNumber(error)
    scoreConfidence = [-1, 1].map { sign in JMHNumber(error.map { summary.mean + sign * $0 }) }
    scorePercentiles = [
      "0.0": summary.min, "50.0": Statistics.median(samples) ?? summary.p50, "90.0": summary.p90,
      "99.0": summary.p99, "100.0": summary.max,
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
