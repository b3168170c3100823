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
public struct JMHReporter: Reporter {
  /// Makes the reporter.
  public init() {}

  /// `jmh`.
  public var id: String { "jmh" }
  /// None: made where it is asked for.
  public var fileName: String? { nil }
  /// What it is for.
  public var summary: String { "JMH's JSON result, for JMH visualizers; a block is a fork" }

  /// An array with a result for every phase that has figures.
  ///
  /// - Throws: `EncodingError` where a value is no finite number.
  public func render(_ report: Report) throws -> String {
    try JSONText.array(PhaseRows.all(report.figureRows).compactMap(JMHResult.init))
  }
}
