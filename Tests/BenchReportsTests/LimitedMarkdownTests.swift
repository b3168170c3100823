import BenchAnalysis
import BenchReports
import BenchResults
import Testing

@Suite("Markdown of limited size")
struct LimitedMarkdownTests {
  @Test("What fits is whole, the worst first, and says nothing of being left out")
  func whole() {
    let text = MarkdownReporter().render(Self.report, limit: 65_536)
    let titles = text.split(separator: "\n").filter { $0.hasPrefix("#") }.dropFirst()
    #expect(
      titles == [
        "## 5 regressions, worst first", "## 8 inconclusive", "## Before you trust it",
        "## large · roundtrip at durability atomic, compared",
        "## large · roundtrip at durability atomic",
        "## large · roundtrip at durability atomic, phase by phase", "## Good to know",
        "## How it was measured",
      ])
    #expect(text.hasPrefix("# 76342b5-dirty against the run of 2026-01-01T10:00:00Z "))
    #expect(!text.contains("left out"))
    #expect(MarkdownReporter().render(Self.report, limit: text.utf8.count) == text)
  }

  @Test("Every line of the whole report is in it, but for the count of products")
  func complete() {
    let limited = Set(MarkdownReporter().render(Self.report, limit: .max).split(separator: "\n"))
    let lost = MarkdownReporter().render(Self.report).split(separator: "\n")
      .filter { !limited.contains($0) }
    #expect(lost == ["1,000 products, 150 combos, 600 slots, 12,000 slot options"])
  }

  @Test("Of any limit it takes no byte more, is a beginning of the whole, and ends with the note")
  func everyLimit() {
    let whole = MarkdownReporter().render(Self.report, limit: .max)
    for limit in stride(from: -1, to: whole.utf8.count, by: 41) {
      let text = MarkdownReporter().render(Self.report, limit: limit)
      #expect(text.utf8.count <= max(0, limit))
      guard limit > 150 else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.suffix(3).first == "" && lines.last == "")
      #expect(lines.dropLast().last?.hasPrefix("left out for want of ") == true)
      #expect(text.hasSuffix("; all of it is in report.md\n"))
      #expect(whole.hasPrefix(lines.dropLast(2).joined(separator: "\n")))
      #expect(lines.dropLast(2).last { $0 != "" }?.hasPrefix("## ") != true, "limit \(limit)")
    }
  }

  @Test("The last line counts what is left out, by kind")
  func counts() {
    let whole = MarkdownReporter().render(Self.report, limit: .max)
    #expect(
      MarkdownReporter().render(Self.report, limit: whole.utf8.count - 1).hasSuffix(
        "\n- durability atomic: a crash or a power cut leaves the old or the new menu, whole, perhaps"
          + " not the last save\n\nleft out for want of room: 1 fact; all of it is in report.md\n"))
    #expect(
      MarkdownReporter().render(Self.report, limit: 500)
        == """
        # 76342b5-dirty against the run of 2026-01-01T10:00:00Z at 76342b5-dirty: 1 cell not \
        measured, 5 regressed, 63 unchanged, 8 inconclusive

        ## 5 regressions, worst first

        - regressed: json/large/roundtrip/atomic decode time: 1.25× slower (1.24–1.26×), 51.0 ms → \
        63.7 ms

        left out for want of room: 4 regressions, 8 inconclusive rows, 10 conclusions, 35 rows, \
        4 notes, 8 facts; all of it is in report.md

        """)
  }

  @Test("Lists every regression, not twenty alone, since no table may follow")
  func manyRegressions() {
    var worse = Fixture.run()
    for index in worse.cells.indices
    where worse.cells[index].metric.isExact && worse.cells[index].unsupported == nil {
      worse.cells[index].blocks = [[1e9 + Double(index)]]
    }
    let report = Report(record: worse, baseline: Fixture.run())
    let text = MarkdownReporter().render(report, limit: 65_536)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("- regressed: ") } == 52)
    let short = MarkdownReporter().render(report, limit: 3_000)
    #expect(short.contains(" regressions, ") && short.contains(" conclusions, "))
  }

  @Test("A table is cut between its rows")
  func table() {
    let whole = MarkdownReporter().render(Self.report, limit: .max)
    var tables = 0
    for limit in stride(from: 2_000, to: whole.utf8.count, by: 31) {
      let lines = MarkdownReporter().render(Self.report, limit: limit).split(
        separator: "\n", omittingEmptySubsequences: false)
      let rules = lines.indices.filter { lines[$0].hasPrefix("| ---") }
      #expect(rules.allSatisfy { lines[$0 + 1].hasPrefix("| ") })
      tables += rules.count
    }
    #expect(tables > 0)
  }

  @Test("Of an empty run it is no crash")
  func empty() {
    var record = Fixture.run()
    (record.cells, record.menus, record.outcomes, record.failures) = ([], [], [], [])
    #expect(MarkdownReporter().render(Report(record: record), limit: 0) == "")
    #expect(MarkdownReporter().render(Report(record: record), limit: .min) == "")
    #expect(MarkdownReporter().render(Report(record: record), limit: .max).hasPrefix("## Good to"))
  }

  private static let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
}
