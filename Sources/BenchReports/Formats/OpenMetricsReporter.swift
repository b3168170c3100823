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
public struct OpenMetricsReporter: Reporter {
  /// Makes the reporter.
  public init() {}

  /// `openmetrics`.
  public var id: String { "openmetrics" }
  /// None: made where it is asked for.
  public var fileName: String? { nil }
  /// What it is for.
  public var summary: String { "OpenMetrics text, for Prometheus" }

  /// A family for every metric that has figures, then `# EOF`.
  public func render(_ report: Report) -> String {
    let rows = report.figureRows
    var seen: Set<String> = []
    let names = rows.map { OpenMetricsFamily.name($0.metric) }.filter { seen.insert($0).inserted }
    let families = Dictionary(grouping: rows) { OpenMetricsFamily.name($0.metric) }
    let lines = names.flatMap { OpenMetricsFamily.lines($0, families[$0] ?? []) }
    return (info(report.record) + lines + ["# EOF"]).joined(separator: "\n") + "\n"
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
