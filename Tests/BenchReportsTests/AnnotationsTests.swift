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
    #expect(errors.count == 5)
    #expect(
      errors.first
        == "::error title=regressed%3A json/large/roundtrip/atomic decode allocs"
        + "::more: +2,550 (1.25× more), 10,200 → 12,750")
    // The views of one time are one annotation.
    #expect(
      errors.filter { $0.contains(" load ") } == [
        "::error title=regressed%3A json/large/roundtrip/atomic load cpu"
          + "::slower: +25 %25 (8–44), 50.3 ms → 62.8 ms"
      ])
  }

  @Test("A regression with a profile names the functions that caused it")
  func explained() throws {
    var report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let worst = try #require(report.regressions.first)
    var explanation = Explanation(lack: "no time was left")
    report.explanations[worst.series.key] = explanation
    let title = "::error title=regressed%3A json/large/roundtrip/atomic decode allocs"
    let figures = "::more: +2,550 (1.25× more), 10,200 → 12,750"
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

  @Test("A cost that cannot say is a warning with its bound, the furthest up first")
  func inconclusive() {
    let report = Report(record: Fixture.run(), baseline: Fixture.baseline)
    let warnings = Annotations.lines(for: report).filter { !$0.hasPrefix("::error ") }
    #expect(warnings.count == 4)
    #expect(
      warnings.first
        == "::warning title=inconclusive%3A sqlite/large/roundtrip/atomic save cpu"
        + "::cannot say, up to +21 %25: 0.0 %25 (-18 %25 to +21 %25), 89.9 ms → 89.9 ms")
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
          + "::26 rows measured on only one side",
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

  @Test("A figure over its limit is an error, with or without a baseline")
  func limits() {
    let limits = Limits([Limits.Rule(RowSelector(metric: "stored_bytes"), most: 2e6)])
    for baseline in [nil, Fixture.baseline] {
      let report = Report(record: Fixture.run(), baseline: baseline, limits: limits)
      #expect(
        Annotations.lines(for: report).first
          == "::error title=over-limit%3A sqlite/large/roundtrip/atomic write stored"
          + "::2.90 MB, limit 2.00 MB")
      let told = report.conclusions.filter { $0.text.contains("is over its limit: 2.90 MB") }
      #expect(told.map(\.severity) == [.error])
    }
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
