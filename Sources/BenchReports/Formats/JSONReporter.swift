import BenchAnalysis
import BenchResults
import Foundation

/// The run itself with every raw value: what other runs are compared with.
package struct JSONReporter: Reporter {
  package init() {}

  package var id: String { "json" }
  package var fileName: String? { "run.json" }
  package var summary: String { "the run with every raw value, to report and compare again" }

  /// The content of `run.json`.
  ///
  /// - Throws: `EncodingError` where a value is no finite number, which JSON cannot hold.
  package func render(_ report: Report) throws -> String {
    String(decoding: try RunFile.encode(report.record), as: UTF8.self)
  }
}

/// JSON of one line an element: short, and readable in a difference.
enum JSONText {
  /// An array.
  ///
  /// - Throws: `EncodingError` where a value is no finite number, which JSON cannot hold.
  static func array(_ elements: [some Encodable]) throws -> String {
    try "[\n" + elements.map { try text($0) }.joined(separator: ",\n") + "\n]\n"
  }

  /// An object, its members in the order given.
  ///
  /// - Throws: `EncodingError` where a value is no finite number, which JSON cannot hold.
  static func object(_ members: [(name: String, value: some Encodable)]) throws -> String {
    let lines = try members.map { try text($0.name) + ":" + text($0.value) }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
