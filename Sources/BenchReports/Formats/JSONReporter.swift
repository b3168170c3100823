import BenchAnalysis
import BenchResults

/// The run itself with every raw value: what other runs are compared with.
public struct JSONReporter: Reporter {
  /// Makes the reporter.
  public init() {}

  /// `json`.
  public var id: String { "json" }
  /// `run.json`.
  public var fileName: String? { "run.json" }
  /// What it is for.
  public var summary: String { "the run with every raw value, to report and compare again" }

  /// The content of `run.json`.
  ///
  /// - Throws: `EncodingError` where a value is no finite number, which JSON cannot hold.
  public func render(_ report: Report) throws -> String {
    String(decoding: try RunFile.encode(report.record), as: UTF8.self)
  }
}
