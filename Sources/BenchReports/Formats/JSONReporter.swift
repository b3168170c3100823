import BenchAnalysis
import BenchResults

/// The run itself with every raw value, which other runs are compared with.
package struct JSONReporter: Reporter {
  package init() {}

  package var id: String { "json" }
  package var fileName: String? { "run.json" }
  package var summary: String { "the run with every raw value, to report and compare again" }

  /// - Throws: `EncodingError` if a value is not finite, because JSON cannot hold it.
  package func render(_ report: Report) throws -> String {
    String(decoding: try RunFile.encode(report.record), as: UTF8.self)
  }
}
