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

  private func compare(_ report: Report, _ format: String, name: String) throws {
    let reporter = try #require(ReporterRegistry.all.first { $0.id == format })
    let text = try reporter.render(report)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)-\(reporter.fileName ?? "report.txt")")
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
