import Basics
import BenchAnalysis
import BenchReports
import Foundation

/// The step of a GitHub workflow that this process runs in.
///
/// Source: GitHub Docs, "Workflow commands for GitHub Actions".
enum GitHubStep {
  /// A summary over 1 MiB is dropped whole.
  private static let limit = 1 << 20

  /// Whether this process runs in one.
  static var isHere: Bool { ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" }

  /// Adds the report to the step's summary, and marks what regressed; nothing outside of GitHub
  /// Actions. A summary that cannot be written is a note: the verdict stands without it.
  static func write(_ report: Report) {
    guard isHere else { return }
    for line in Annotations.lines(for: report) { Console.warn(line, isCommand: true) }
    let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] ?? ""
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
