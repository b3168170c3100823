import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

/// What a gate's report comes to: the exit status, and one line that says why.
struct GateVerdict {
  let report: Report
  let strictness: GateStrictness

  /// Says in one line that nothing regressed.
  ///
  /// - Throws: a ``CLIError`` of the status that the report comes to, the gravest first.
  func enforce() throws {
    let outcome = report.outcome(
      .gate(allowsMissing: strictness.allowMissing, isStrict: strictness.strict))
    guard let status = ExitStatus(outcome) else { return Console.note(Self.reason(outcome)) }
    throw CLIError(Self.reason(outcome), help: Self.help(outcome), status: status)
  }

  private static func reason(_ outcome: ComparisonOutcome) -> String {
    switch outcome {
    case .regressed(let worse):
      return "\(Wording.plural(worse.count, "figure")) regressed"
        + (worse.first.map { "; worst \(words($0))" } ?? "")
    case .belowFloor(let rows): return CLIError(belowFloor: rows).message
    case .unmeasured(let failure):
      let stage = failure.stage.map { " in \($0)" } ?? ""
      return "\(failure.cell) could not be measured\(stage): \(failure.reason)"
    case .missing(let rows):
      return "\(Wording.plural(rows.count, "figure")) of the baseline "
        + "\(rows.count == 1 ? "is" : "are") missing now" + first(rows)
    case .gone(let cell): return "\(cell) of the baseline is missing now"
    case .otherMenus(let menus): return "\(Wording.list(menus)) of the baseline differs"
    case .nothingCompared(let hasNew):
      return "nothing could be compared" + (hasNew ? ": every row is new" : "")
    case .inconclusive(let rows):
      return "\(Wording.plural(rows.count, "row")) inconclusive" + first(rows)
    case .passed(let rows): return "nothing regressed in \(Wording.plural(rows, "row"))"
    }
  }

  private static func help(_ outcome: ComparisonOutcome) -> String? {
    switch outcome {
    case .regressed:
      "see the rows marked regressed, and gate.json for what it takes to explain them"
    case .belowFloor(let rows): CLIError(belowFloor: rows).help
    case .missing, .gone: "if that is meant: --allow-missing"
    case .nothingCompared: "compare the same backends, menus, durability and metrics"
    case .inconclusive: "give more time with --budget, or a quieter machine"
    case .unmeasured, .otherMenus, .passed: nil
    }
  }

  private static func first(_ rows: [ReportRow]) -> String {
    rows.first.map { "; first \($0.cell) \($0.phase) \($0.metric.id)" } ?? ""
  }

  private static func words(_ row: ReportRow) -> String {
    let change = row.comparison.flatMap { Wording.change($0, row.metric) }.map { ": \($0)" } ?? ""
    return "\(row.cell) \(row.phase) \(row.metric.id)\(change)"
  }
}

/// The step of a GitHub workflow that this process runs in.
///
/// Source: GitHub Docs, "Workflow commands for GitHub Actions".
enum GitHubStep {
  /// A summary over 1 MiB is dropped whole.
  private static let limit = 1 << 20

  /// Adds the report to the step's summary, and marks what regressed; nothing outside of GitHub
  /// Actions. A summary that cannot be written is a note: the verdict stands without it.
  static func write(_ report: Report) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    for line in Annotations.lines(for: report) { Console.note(line) }
    guard let summary = environment["GITHUB_STEP_SUMMARY"], !summary.isEmpty else { return }
    do {
      try append(report, to: summary)
    } catch {
      Console.note("note: the step summary \(summary) was not written: \(error)")
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
