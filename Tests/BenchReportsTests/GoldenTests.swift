import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

/// Whole outputs, compared with the files of `Golden/`.
///
/// `MENUBENCH_RECORD=1 ./scripts/test` rewrites them and fails, so that a recording run never passes
/// for a check. Read the difference before you commit it.
@Suite("Golden files")
struct GoldenTests {
  @Test(
    "A run of four backends and two menus", arguments: ["table", "csv", "markdown", "html", "json"])
  func run(format: String) throws {
    let record = Fixture.run(menus: ["small", "large"], blocks: format == "json" ? 1 : 12)
    try compare(Report(record: record), format, name: "run")
  }

  @Test(
    "A run with a regression against a baseline", arguments: ["table", "csv", "markdown", "html"])
  func baseline(format: String) throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    try compare(report, format, name: "baseline")
  }

  @Test("A gate with a row of every kind", arguments: ["table", "csv", "markdown", "html"])
  func gate(format: String) throws {
    let gate = Fixture.gate
    var report = Report(record: gate.candidate, baseline: gate.baseline)
    var before = ProfileFormatTests.profile
    before.stacks[2].values = [[18e6, 0]]
    report.profiles = [
      ProfilePair(old: before, new: ProfileFormatTests.profile, speed: .given)
    ]
    try compare(report, format, name: "gate")
  }

  @Test("Workloads that have charts of their own, with a flame graph")
  func workloads() throws {
    let report = Report(record: Fixture.workloads())
    let page = HTMLReporter(graphs: [FlameGraph(ProfileFormatTests.profile)]).render(report)
    try compare(page, with: "workloads-report.html")
    // By which `scripts/check-pages` checks the figures of the page.
    try compare(report, "csv", name: "workloads")
    let names = RunCharts.all(report).map(\.name)
    #expect(names.contains("latency") && names.contains("3-timeline"))
  }

  @Test("A history with a series that changed and one that rose in small steps")
  func history() throws {
    let phases: [(String, [(Double, Int)])] = [
      ("decode", [(46_700_000, 8), (58_375_000, 8)]), ("encode", [(44_200_000, 16)]),
      ("write", (0..<11).map { (1_000_000 * pow(1.019, Double($0)), 5) }),
    ]
    let page = HistoryFormat.html.render(HistoryFormatTests.report(phases))
    try compare(page, with: "history.html")
    try compare(HistoryFormatTests.csv(phases), with: "history.csv")
  }

  @Test("A gate on a terminal of 80 columns")
  func narrowGate() throws {
    let report = Report(record: Fixture.gate.candidate, baseline: Fixture.gate.baseline)
    let text = TableReporter(width: 80).render(report)
    #expect(text.split(separator: "\n").allSatisfy { $0.displayWidth <= 80 })
    try compare(text, with: "gate-report-80.txt")
  }

  @Test("A gate in a summary of GitHub's")
  func limitedGate() throws {
    let report = Report(record: Fixture.gate.candidate, baseline: Fixture.gate.baseline)
    try compare(MarkdownReporter().render(report, limit: 1 << 20), with: "gate-summary.md")
  }

  @Test("A gate of counters alone that passes", arguments: ["table", "markdown"])
  func exactGate(format: String) throws {
    let gate = Fixture.exactGate
    try compare(Report(record: gate.candidate, baseline: gate.baseline), format, name: "exact-gate")
  }

  @Test("A gate against a stored run, on a terminal and a page", arguments: ["table", "markdown"])
  func storedGate(format: String) throws {
    var now = Fixture.run(slower: 1.25)
    now.cells.removeAll { $0.metric.isTime }
    now.failures = []
    now.outcomes = now.outcomes.map { Outcome(cell: $0.cell, timedBlocks: 0, stop: .blocks) }
    let report = Report(record: now, baseline: Fixture.baseline, gatesTimes: false)
    try compare(report, format, name: "stored-gate")
  }

  @Test("The formats for CI systems, for a run", arguments: formatsForCI)
  func runForCI(format: String) throws {
    try compare(Report(record: Fixture.run(blocks: 6)), format, name: "run")
  }

  @Test("JUnit XML of a run with a regression against a baseline")
  func baselineForCI() throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    try compare(report, "junit", name: "baseline")
  }

  /// `scripts/check-formats` and `scripts/check-pages` give these to real readers.
  @Test(
    "The formats for CI systems and browsers, with names that would break a careless format",
    arguments: formatsForCI + ["html"])
  func hostile(format: String) throws {
    try compare(Report(record: Fixture.hostile(blocks: 6)), format, name: "hostile")
  }

  private static let formatsForCI = ["junit", "gobench"]

  private static let files = [
    "table": "report.txt", "junit": "junit.xml", "gobench": "gobench.txt",
  ]

  private func compare(_ report: Report, _ format: String, name: String) throws {
    let reporter = try #require(ReporterRegistry.all.first { $0.id == format })
    let text = try reporter.render(report)
    let fileName = try #require(reporter.fileName ?? Self.files[format])
    try compare(text, with: "\(name)-\(fileName)")
  }

  private func compare(_ text: String, with fileName: String) throws {
    try GoldenFile.compare(text, with: fileName)
  }
}

/// The files of `Golden/`.
enum GoldenFile {
  /// Compares a text with a file, or records it.
  static func compare(_ text: String, with fileName: String) throws {
    guard let data = try recorded(text, fileName) else { return }
    let expected = String(decoding: data, as: UTF8.self)
    let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
    if let (line, wanted) = lines.first(where: { $0 != $1 }) { #expect(line == wanted) }
    #expect(text == expected)
  }

  /// The file's content, or nil if this run records it.
  private static func recorded(_ text: String, _ fileName: String) throws -> Data? {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(fileName)")
    guard ProcessInfo.processInfo.environment["MENUBENCH_RECORD"] == "1" else {
      return try Data(contentsOf: file)
    }
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(fileName)")
    return nil
  }
}
