import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import Testing

@Suite("Markdown and JSON")
struct MarkdownReporterTests {
  @Test("It begins with the verdict and the regressions, the worst first")
  func flags() {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let lines = MarkdownReporter().render(report).split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "# 76342b5-dirty against the run of 2026-01-01T10:00:00Z at 76342b5-dirty:"
        + " 1 cell not measured, 5 regressed, 63 unchanged, 8 inconclusive")
    #expect(lines.dropFirst().first == "## 5 regressions, worst first")
    #expect(
      lines.dropFirst(2).prefix(5).allSatisfy {
        $0.hasPrefix("- regressed: json/large/roundtrip/atomic decode ") && $0.contains("1.25×")
      })
  }

  @Test("With many regressions the twenty worst are listed and the rest counted")
  func manyFlags() {
    let (now, then) = (Fixture.run(), Fixture.run())
    var worse = now
    for index in worse.cells.indices
    where worse.cells[index].metric.isExact && worse.cells[index].unsupported == nil {
      worse.cells[index].blocks = [[1e9 + Double(index)]]
    }
    let lines = MarkdownReporter().render(Report(record: worse, baseline: then))
      .split(separator: "\n")
    #expect(lines.dropFirst().first == "## 52 regressions, worst first")
    #expect(lines.filter { $0.hasPrefix("- regressed: ") }.count == 20)
    #expect(lines.contains("- and 32 more regressions"))
  }

  @Test("Every table has one rule, and equally many cells in each line, with any names")
  func tables() {
    var record = Fixture.run()
    for index in record.cells.indices {
      record.cells[index].cell.backend += "|x\ny\\|z"
    }
    let lines = MarkdownReporter().render(Report(record: record))
      .split(separator: "\n", omittingEmptySubsequences: false)
    var cells: Int?
    for line in lines {
      guard line.hasPrefix("|") else {
        cells = nil
        continue
      }
      let bars = line.replacingOccurrences(of: "\\\\", with: "")
        .replacingOccurrences(of: "\\|", with: "").count { $0 == "|" }
      #expect(cells == nil || cells == bars)
      cells = bars
    }
    #expect(lines.contains { $0.hasPrefix("| json\\|x y\\\\\\|z | encode |") })
  }

  @Test("JSON is the stored run")
  func json() throws {
    let record = Fixture.run()
    let text = try JSONReporter().render(Report(record: record, baseline: Fixture.baseline))
    #expect(try JSONDecoder().decode(RunRecord.self, from: Data(text.utf8)) == record)
  }

  @Test("JSON refuses a value that is not a number")
  func notFinite() {
    var record = Fixture.run()
    record.cells[0].blocks[0][0] = .infinity
    #expect(throws: EncodingError.self) { try JSONReporter().render(Report(record: record)) }
  }
}
