import BenchAnalysis
import BenchReports
import BenchResults
import Testing

@Suite("Markdown with a size limit")
struct LimitedMarkdownTests {
  private static let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)

  private static func text(_ limit: Int) -> String {
    MarkdownReporter().render(report, limit: limit)
  }

  @Test("A report that fits is whole, and has no note")
  func whole() {
    let whole = MarkdownReporter().render(Self.report)
    #expect(Self.text(65_536) == whole)
    #expect(Self.text(whole.utf8.count) == whole)
  }

  @Test("With any limit it is a beginning of the whole, ends with the note, and is no larger")
  func everyLimit() {
    let whole = MarkdownReporter().render(Self.report)
    for limit in stride(from: -1, to: whole.utf8.count, by: 41) {
      let text = Self.text(limit)
      #expect(text.utf8.count <= max(0, limit))
      guard limit > 150 else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.suffix(3).first == "" && lines.last == "")
      #expect(text.hasSuffix(" did not fit here. report.md has everything.\n"))
      var kept = Array(lines.dropLast(2))
      // Folded parts are closed before the note.
      let isClosed = !whole.hasPrefix(kept.joined(separator: "\n"))
      if isClosed { #expect(kept.popLast() == "" && kept.popLast() == "</details>") }
      #expect(whole.hasPrefix(kept.joined(separator: "\n")))
      #expect(text.ranges(of: "<details>").count == text.ranges(of: "</details>").count)
      #expect(kept.last { $0 != "" }?.hasPrefix("## ") != true, "limit \(limit)")
    }
  }

  @Test("The last line counts the lines that are left out")
  func counts() {
    let whole = MarkdownReporter().render(Self.report)
    #expect(
      Self.text(whole.utf8.count - 1).hasSuffix(
        "\n\n1 line did not fit here. report.md has everything.\n"))
    let lines = whole.split(separator: "\n").count
    #expect(
      Self.text(400)
        == """
        # 76342b5-dirty against the run of 2026-01-01T10:00:00Z at 76342b5-dirty: 1 cell not \
        measured, 5 regressed, 63 unchanged, 8 inconclusive

        ## 5 regressions, worst first

        - regressed: json/large/roundtrip/atomic decode time: 1.25× slower (1.24–1.26×), 51.0 ms → \
        63.7 ms

        \(lines - 3) lines did not fit here. report.md has everything.

        """)
  }

  @Test("It lists every regression, not only twenty, since no table may follow")
  func manyRegressions() {
    var worse = Fixture.run()
    for index in worse.cells.indices
    where worse.cells[index].metric.isExact && worse.cells[index].unsupported == nil {
      worse.cells[index].blocks = [[1e9 + Double(index)]]
    }
    let report = Report(record: worse, baseline: Fixture.run())
    let text = MarkdownReporter().render(report, limit: 65_536)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("- regressed: ") } == 52)
  }

  @Test("A table is cut between its rows")
  func table() {
    let whole = MarkdownReporter().render(Self.report)
    var tables = 0
    for limit in stride(from: 2_000, to: whole.utf8.count, by: 31) {
      let lines = Self.text(limit).split(separator: "\n", omittingEmptySubsequences: false)
      let rules = lines.indices.filter { lines[$0].hasPrefix("| ---") }
      #expect(rules.allSatisfy { lines[$0 + 1].hasPrefix("| ") })
      tables += rules.count
    }
    #expect(tables > 0)
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
