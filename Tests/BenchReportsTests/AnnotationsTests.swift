import BenchReports
import BenchResults
import Testing

@testable import BenchAnalysis

@Suite("Annotations for GitHub")
struct AnnotationsTests {
  @Test("A regression is an error with its figures, the worst first")
  func regression() {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let errors = Annotations.lines(for: report).filter { $0.hasPrefix("::error ") }
    #expect(errors.count == 6)
    #expect(
      errors.first
        == "::error title=regressed%3A json/large/roundtrip/atomic decode time"
        + "::1.25× slower (1.24–1.26×), 51.0 ms → 63.7 ms")
  }

  @Test("A regression with a profile names the functions that caused it")
  func explained() throws {
    var report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let worst = try #require(report.regressions.first)
    var explanation = Explanation(lack: "no time was left")
    report.explanations[worst.series.key] = explanation
    let title = "::error title=regressed%3A json/large/roundtrip/atomic decode time"
    let figures = "::1.25× slower (1.24–1.26×), 51.0 ms → 63.7 ms"
    #expect(
      Annotations.lines(for: report).first
        == title + figures + "; not explained: no time was left")
    explanation.lack = nil
    explanation.causes = [
      Explanation.Cause(
        function: "JSONCodec.decode(_:)", module: "BackendKit", amount: 12e6, unit: .nanoseconds)
    ]
    explanation.explained = 0.94
    report.explanations[worst.series.key] = explanation
    let words = "; because of JSONCodec.decode(_:) +12.0 ms: 94 % of the increase"
    #expect(
      Annotations.lines(for: report).first
        == title + figures + words.replacing(" %", with: " %25"))
    #expect(TableReporter().render(report).replacing("\n  ", with: " ").contains(words))
    #expect(MarkdownReporter().render(report).contains("JSONCodec.decode"))
    #expect(GateFile(report).failing.first?.explanation == explanation)
  }

  @Test("An inconclusive row is a warning with the reason, and others have none")
  func inconclusive() {
    let report = Report(record: Fixture.run(), baseline: Fixture.baseline)
    let warnings = Annotations.lines(for: report).filter { !$0.hasPrefix("::error ") }
    #expect(warnings.count == 8)
    #expect(
      warnings.first
        == "::warning title=inconclusive%3A sqlite/large/roundtrip/atomic encode time"
        + "::shows ≥ 1.10×: 1.00× (0.92–1.09×), 89.3 ms → 89.3 ms")
  }

  @Test("An undecided time whose instructions changed points to them, wherever it is listed")
  func pointer() {
    var gate = Fixture.gate
    func counted(_ value: Double) -> Series {
      Series(
        cell: Fixture.cell("json"), phase: "write", metric: .instructions,
        blocks: [[value], [value]])
    }
    gate.candidate.cells.append(counted(102_100))
    gate.baseline.cells.append(counted(100_000))
    let report = Report(record: gate.candidate, baseline: gate.baseline)
    let words = "; time undecided: look at instructions, +2.1 %"
    let title = "::warning title=inconclusive%3A json/large/roundtrip/atomic write time::"
    #expect(
      Annotations.lines(for: report).contains {
        $0.hasPrefix(title) && $0.hasSuffix(words.replacing("%", with: "%25"))
      })
    #expect(TableReporter().render(report).replacing("\n  ", with: " ").contains(words))
    #expect(MarkdownReporter().render(report).contains(words))
    #expect(JUnitReporter().render(report).contains(words + "\"/>"))
    // It comes before rows without further facts.
    func preceded(_ record: RunRecord) -> RunRecord {
      var record = record
      let others = record.cells.filter {
        $0.cell.backend == "json" && $0.metric != .instructions
      }
      record.cells.insert(
        contentsOf: others.map { series in
          var series = series
          series.cell.backend = "another"
          return series
        }, at: 0)
      return record
    }
    let several = Report(
      record: preceded(gate.candidate), baseline: preceded(gate.baseline))
    #expect(several.inconclusive.first?.cell.backend == "another")
    let warnings = Annotations.lines(for: several).filter { $0.hasPrefix("::warning ") }
    #expect(warnings.count > 1 && warnings[0].hasPrefix(title))
  }

  @Test("An unmeasured cell is an error, and so is a cell with missing rows, once")
  func absence() {
    var now = Fixture.run()
    now.cells.removeAll { $0.cell.backend == "json" }
    let lines = Annotations.lines(for: Report(record: now, baseline: Fixture.baseline))
    #expect(
      lines.filter { $0.hasPrefix("::error ") } == [
        "::error title=not measured%3A plist/large/roundtrip/atomic (decode)"
          + "::the worker was killed by signal 9",
        "::error title=missing%3A json/large/roundtrip/atomic"
          + "::26 rows of the baseline not measured now",
      ])
  }

  @Test("A failed cell is not missing as well")
  func failedOnce() {
    var now = Fixture.run()
    now.cells.removeAll { $0.cell.backend == "json" }
    now.failures[0].cell.backend = "json"
    let lines = Annotations.lines(for: Report(record: now, baseline: Fixture.baseline))
    #expect(lines.count { $0.hasPrefix("::error ") } == 1)
  }

  @Test("Percent signs and line breaks are escaped, and in the title also its delimiters")
  func escaping() {
    var record = Fixture.run()
    record.failures[0].cell.menu = "a,b:c%\r\n"
    record.failures[0].reason = "100 %: a,b\r\nc\n"
    #expect(
      Annotations.lines(for: Report(record: record)) == [
        "::error title=not measured%3A plist/a%2Cb%3Ac%25%0D%0A/roundtrip/atomic (decode)"
          + "::100 %25: a,b%0D%0Ac%0A"
      ])
  }

  @Test("With more than ten of a kind, nine are shown and the rest counted")
  func most() {
    var worse = Fixture.run()
    for index in worse.cells.indices
    where worse.cells[index].metric.isExact && worse.cells[index].unsupported == nil {
      worse.cells[index].blocks = [[1e9 + Double(index)]]
    }
    let report = Report(record: worse, baseline: Fixture.run())
    let errors = Annotations.lines(for: report).filter { $0.hasPrefix("::error ") }
    #expect(errors.count == 10)
    #expect(errors.last == "::error title=and 44 more errors::all are in report.md")
  }

  @Test("A run without a baseline has only annotations of unmeasured cells")
  func quiet() {
    var record = Fixture.run()
    record.failures = []
    #expect(
      Annotations.lines(for: Report(record: record)) == [
        "::error title=unmeasured::plist/large/roundtrip/atomic could not be measured: "
          + "no figure of the requested metrics"
      ])
    record.outcomes.removeAll { $0.cell.backend == "plist" }
    #expect(Annotations.lines(for: Report(record: record)).isEmpty)
  }
}
