import BenchAnalysis
import BenchReports
import Foundation
import Testing

/// Whole outputs, compared with the files of `Golden/`.
///
/// `MENUBENCH_RECORD=1 swift test` rewrites them and fails, so that a recording run never passes
/// for a check; read the difference before committing it.
@Suite("Golden files")
struct GoldenTests {
  @Test("A run of four backends and two menus", arguments: ["table", "csv", "markdown", "json"])
  func run(format: String) throws {
    let record = Fixture.run(menus: ["small", "large"], blocks: format == "json" ? 1 : 12)
    try compare(Report(record: record), format, name: "run")
  }

  @Test("A run with a regression against a baseline", arguments: ["table", "csv", "markdown"])
  func baseline(format: String) throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    try compare(report, format, name: "baseline")
  }

  @Test("What CI systems read, of a run", arguments: formatsForCI)
  func runForCI(format: String) throws {
    try compare(Report(record: Fixture.run(blocks: 6)), format, name: "run")
  }

  @Test("JUnit XML of a run with a regression against a baseline")
  func baselineForCI() throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    try compare(report, "junit", name: "baseline")
  }

  /// `scripts/check-formats` gives these to real readers.
  @Test(
    "What CI systems read, of names that would break a careless format", arguments: formatsForCI)
  func hostile(format: String) throws {
    try compare(Report(record: Fixture.hostile(blocks: 6)), format, name: "hostile")
  }

  private static let formatsForCI = [
    "junit", "github-benchmark", "bencher", "jmh", "openmetrics", "gobench",
  ]

  private static let files = [
    "table": "report.txt", "junit": "junit.xml", "github-benchmark": "github-benchmark.json",
    "bencher": "bencher.json", "jmh": "jmh.json", "openmetrics": "openmetrics.txt",
    "gobench": "gobench.txt",
  ]

  private func compare(_ report: Report, _ format: String, name: String) throws {
    let reporter = try #require(ReporterRegistry.all.first { $0.id == format })
    let text = try reporter.render(report)
    let fileName = try #require(reporter.fileName ?? Self.files[format])
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)-\(fileName)")
    if ProcessInfo.processInfo.environment["MENUBENCH_RECORD"] == "1" {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(file.lastPathComponent)")
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
    if let (line, wanted) = lines.first(where: { $0 != $1 }) { #expect(line == wanted) }
    #expect(text == expected)
  }
}
