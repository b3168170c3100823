import Basics
import BenchAnalysis
import BenchReports
import Foundation

/// The step of a GitHub workflow that this process runs in.
///
/// Source: GitHub Docs, "Workflow commands for GitHub Actions".
enum GitHubStep {
  /// GitHub drops a summary over 1 MiB completely.
  private static let limit = 1 << 20

  /// Adds the report to the step's summary and marks regressions, if this is GitHub Actions.
  /// Failing to write the summary is only a note, since the verdict does not depend on it.
  static func write(_ report: Report) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    for line in Annotations.lines(for: report) { Console.warn(line, isCommand: true) }
    let summary = environment["GITHUB_STEP_SUMMARY"] ?? ""
    guard !summary.isEmpty else { return }
    do {
      try append(report, to: summary)
    } catch {
      Console.note("note: the step summary \(summary) was not written: \(systemReason(error))")
    }
  }

  private static func append(_ report: Report, to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let used = Int(try file.seekToEnd())
    let text = MarkdownReporter().render(report, limit: max(0, limit - used - 1))
    try file.write(contentsOf: Data(text.utf8))
  }
}
