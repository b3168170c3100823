import Basics
import BenchAnalysis
import BenchResults

/// OpenMetrics text, for Prometheus: a family of gauges a metric, in seconds, bytes and plain counts.
///
/// Samples are told apart by the cell's and the phase's labels, floors and the control by their
/// phase; `figure` is `p50` or, where the interval is known, `ci_low` and `ci_high`. The facts of the
/// run are labels of `menubench_run_info`, a gauge and no info family, so that readers of the older
/// Prometheus text format take the same file.
///
/// Source: OpenMetrics 1.0, text format: families contiguous, names ending in their unit.
package struct OpenMetricsReporter: Reporter {
  package init() {}

  package var id: String { "openmetrics" }
  package var summary: String { "OpenMetrics text, for Prometheus" }

  /// A family for every metric that has figures, then `# EOF`.
  package func render(_ report: Report) -> String {
    let families = report.figureRows.grouped { OpenMetricsFamily.name($0.metric) }
    let lines = families.flatMap { OpenMetricsFamily.lines($0.key, $0.elements) }
    return (info(report.record) + lines + belowFloor(report) + ["# EOF"]).joined(separator: "\n")
      + "\n"
  }

  /// The phases whose times are left out, since they cannot be true.
  private func belowFloor(_ report: Report) -> [String] {
    let rows = report.belowFloor
    guard !rows.isEmpty else { return [] }
    let name = "menubench_below_floor"
    return [
      "# TYPE \(name) gauge",
      "# HELP \(name) A phase below its floor, whose time is left out: an error; always 1.",
    ] + rows.map { OpenMetricsFamily.sample(name, $0.cell.labels($0.phase), 1) }
  }

  private func info(_ record: RunRecord) -> [String] {
    let name = "menubench_run_info"
    let labels = RunFact.all(record).map { ($0.id, $0.value) }
    return [
      "# TYPE \(name) gauge", "# HELP \(name) What was measured where; always 1.",
      OpenMetricsFamily.sample(name, labels, 1),
    ]
  }
}

/// The parts of an OpenMetrics text.
enum OpenMetricsFamily {
  /// A metric's family: `menubench_wall_seconds`, `menubench_stored_bytes`, `menubench_allocations`.
  static func name(_ metric: Metric) -> String {
    let name = "menubench_" + metric.id.unicodeScalars.map(escaped).joined()
    guard let unit = unit(metric), !name.hasSuffix("_" + unit) else { return name }
    return name + "_" + unit
  }

  /// The family's head and its samples.
  static func lines(_ name: String, _ rows: [ReportRow]) -> [String] {
    guard let metric = rows.first?.metric else { return [] }
    let unit = unit(metric).map { ["# UNIT \(name) \($0)"] } ?? []
    let help =
      "# HELP \(name) \(helpEscaped(metric.id)) of one phase: the median of block medians"
      + " and its 95 % interval."
    return ["# TYPE \(name) gauge"] + unit + [help] + rows.flatMap { samples(name, $0) }
  }

  /// One sample.
  static func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: Double)
    -> String
  {
    let labels = labels.map { "\($0.name)=\"\(labelEscaped($0.value))\"" }.joined(separator: ",")
    return "\(name){\(labels)} \(value.digits)"
  }

  private static func samples(_ name: String, _ row: ReportRow) -> [String] {
    let cell = row.cell.labels(row.phase)
    let interval = row.summary?.interval
    let figures = [
      ("p50", row.summary?.p50), ("ci_low", interval?.low), ("ci_high", interval?.high),
    ]
    return figures.compactMap { figure, value in
      value?.finite.map { sample(name, cell + [("figure", figure)], base($0, row.metric.unit)) }
    }
  }

  private static func base(_ value: Double, _ unit: Unit) -> Double {
    switch unit {
    case .nanoseconds: value / 1e9
    case .percent: value / 100
    case .bytes, .count: value
    }
  }

  private static func unit(_ metric: Metric) -> String? {
    switch metric.unit {
    case .nanoseconds: "seconds"
    case .bytes: "bytes"
    case .count: nil
    case .percent: "ratio"
    }
  }

  /// Letters, digits and `_` as they are, others by their number, so that no two names become one.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    default: "_" + String(scalar.value, radix: 16) + "_"
    }
  }

  private static func labelEscaped(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "\"" ? "\\\"" : helpEscaped(String($0)) }.joined()
  }

  private static func helpEscaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\n": "\\n"
      default: String(scalar).displayable
      }
    }.joined()
  }
}
