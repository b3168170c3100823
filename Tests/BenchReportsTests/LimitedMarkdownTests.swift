import BenchAnalysis
import BenchReports
import BenchResults
import Testing

@Suite("Markdown with a size limit")
struct LimitedMarkdownTests {
  private static let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
  private static let note = "The rest did not fit here. report.md has everything.\n"

  private static func text(_ limit: Int) -> String {
    MarkdownReporter().render(report, limit: limit)
  }

  @Test("A report that fits is whole, and has no note")
  func whole() {
    let whole = MarkdownReporter().render(Self.report)
    #expect(Self.text(65_536) == whole)
    #expect(Self.text(whole.utf8.count) == whole)
  }

  @Test("With any limit it is whole parts of a beginning and the note, and no larger")
  func everyLimit() {
    let whole = MarkdownReporter().render(Self.report)
    var beginnings: Set<Int> = []
    for limit in stride(from: -1, to: whole.utf8.count, by: 41) {
      let text = Self.text(limit)
      #expect(text.utf8.count <= max(0, limit))
      guard limit > 60 else { continue }
      #expect(text.hasSuffix(Self.note))
      let kept = text.dropLast(Self.note.count)
      #expect(whole.hasPrefix(kept))
      #expect(kept.ranges(of: "<details>").count == kept.ranges(of: "</details>").count)
      #expect(kept.ranges(of: "```").count.isMultiple(of: 2))
      #expect(kept.split(separator: "\n").last?.hasPrefix("## ") != true, "limit \(limit)")
      beginnings.insert(kept.count)
    }
    #expect(beginnings.count > 5)
  }

  @Test("It lists every regression, not only twenty, since no table may follow")
  func manyRegressions() {
    var worse = Fixture.run()
    for index in worse.cells.indices
    where worse.cells[index].metric.isExact && worse.cells[index].unsupported == nil {
      worse.cells[index].blocks = [[1e9 + Double(index)]]
    }
    let report = Report(record: worse, baseline: Fixture.run())
    let lines = MarkdownReporter().render(report, limit: 65_536).split(separator: "\n")
    #expect(lines.count { $0.contains(/^- (more|larger):\ /) } == 52)
  }

  @Test("An empty run does not crash it")
  func empty() {
    var record = Fixture.run()
    (record.cells, record.menus, record.outcomes, record.failures) = ([], [], [], [])
    #expect(MarkdownReporter().render(Report(record: record), limit: 0) == "")
    #expect(MarkdownReporter().render(Report(record: record), limit: .min) == "")
    #expect(MarkdownReporter().render(Report(record: record), limit: .max).hasPrefix("## "))
  }
}
