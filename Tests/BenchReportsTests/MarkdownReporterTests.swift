import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import Testing

@Suite("Markdown and JSON")
struct MarkdownReporterTests {
  @Test("It begins with both sides, the headline and the picture, and then lists what got worse")
  func flags() {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let lines = MarkdownReporter().render(report).split(separator: "\n").map(String.init)
    #expect(
      lines[0] == "76342b5-dirty against the run of 2026-01-01T10:00:00Z at 76342b5-dirty")
    #expect(
      lines[1]
        == "# 1 of 4 costs slower, 3 cannot say, up to +21 %."
        + " 3 of 52 counts worse, 49 the same. 1 cell not measured.")
    #expect(lines[2...3] == ["## Changes of 4 costs, worst first", "```text"])
    #expect(lines[5].hasPrefix("json   load cpu ") && lines[9] == "```")
    #expect(lines[11] == "## 4 got worse, worst first")
    #expect(
      lines[12...15].map { $0.split(separator: ":")[0] } == [
        "- more", "- larger", "- larger", "- slower",
      ])
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
    #expect(lines.contains("## 52 got worse, worst first"))
    #expect(lines.filter { $0.contains(/^- (more|larger):\ /) }.count == 20)
    #expect(lines.contains("- and 32 more"))
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
