import BenchAnalysis

/// A format that a report can be had in: one file in `Formats/`, one line in ``ReporterRegistry``.
public protocol Reporter: Sendable {
  /// The stable id, as typed after `--format`.
  var id: String { get }
  /// The name of the file that a folder of reports keeps it in; nil where it is only shown.
  var fileName: String? { get }
  /// What it is for, in one line.
  var summary: String { get }

  /// The whole text, ending in a line break.
  ///
  /// - Throws: Where the format has no way to say what the report holds.
  func render(_ report: Report) throws -> String
}
