import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

@Suite("Backends side by side read from the answer down to the last figure")
struct RecommendationFormatTests {
  private func launch(_ record: RunRecord, required: [String] = []) -> RecommendationReport {
    RecommendationReport(
      record: record,
      criteria: Criteria(need: "launch", weights: Fixture.needs[0].weights, required: required))
  }

  @Test("A recommendation for a need", arguments: [DocumentFormat.table, .markdown, .csv])
  func recommendation(format: DocumentFormat) throws {
    let names: [DocumentFormat: String] = [
      .table: "compare.txt", .markdown: "compare.md", .csv: "compare.csv",
    ]
    let text = format.render(launch(Fixture.sideBySide(), required: ["durable"]), width: 80)
    try GoldenFile.compare(text, with: try #require(names[format]))
  }

  @Test("Without a question nothing is recommended, and it says how to ask")
  func unasked() throws {
    let report = RecommendationReport(
      record: Fixture.sideBySide(), criteria: nil, needs: Fixture.needs)
    try GoldenFile.compare(
      DocumentFormat.table.render(report, width: 80), with: "compare-unasked.txt")
  }

  @Test("No line is wider than the terminal", arguments: [60, 80, 100])
  func width(columns: Int) {
    for report in [
      launch(Fixture.sideBySide()),
      RecommendationReport(record: Fixture.sideBySide(), criteria: nil, needs: Fixture.needs),
    ] {
      let lines = DocumentFormat.table.render(report, width: columns).split(separator: "\n")
      #expect(lines.allSatisfy { $0.displayWidth <= columns })
    }
  }

  @Test("A tie names both, with what else they take and promise")
  func tie() {
    var record = Fixture.sideBySide()
    for index in record.cells.indices where record.cells[index].cell.backend == "sqlite" {
      let key = record.cells[index].key
      let flat = record.cells.first {
        $0.cell.backend == "flat" && $0.cell.menu == key.cell.menu && $0.phase == key.phase
          && $0.cell.workload == key.cell.workload && $0.metric.id == key.metric
      }
      record.cells[index].blocks = flat?.blocks ?? []
    }
    let text = DocumentFormat.table.render(launch(record), width: 80)
    #expect(text.hasPrefix("For launch with medium: flat or sqlite, too close to call\n"))
    #expect(text.contains("Level in score: choose among them by what else they take and promise."))
    #expect(text.contains("No: flat or sqlite at every size measured."))
  }

  @Test("Of two blocks the answer is unproven, and says so")
  func unproven() {
    let text = DocumentFormat.table.render(launch(Fixture.sideBySide(blocks: 2)), width: 80)
    #expect(text.hasPrefix("For launch with medium: flat, unproven\n"))
    #expect(text.contains("(2 blocks"))
  }

  @Test("Where nothing may be recommended, everything says why")
  func nothing() {
    let text = DocumentFormat.table.render(
      launch(Fixture.sideBySide(), required: ["magic"]), width: 80)
    #expect(text.hasPrefix("For launch with medium: no backend can be recommended\n"))
    #expect(text.contains("• flat: does not promise magic\n"))
    #expect(text.contains("• plist: is not known to keep anything; promise unknown: magic"))
  }

  @Test("A score can be worked out again from the multiples printed")
  func retraced() throws {
    let report = launch(Fixture.sideBySide())
    let answer = try #require(report.answer)
    for backend in answer.ranked {
      // What a reader has: three digits of every multiple, and whole weights.
      let product = backend.terms.reduce(1.0) { product, term in
        let printed = Double((term.multiple * 100).rounded() / 100)
        return product * pow(printed, term.weighted.weight)
      }
      #expect(abs(pow(product, 1 / 10) / backend.score - 1) < 0.005)
    }
    #expect(answer.weighted.map(\.weight) == [6, 3, 1])
  }

  @Test("A missing figure is empty in CSV, and has its reason")
  func missing() {
    let lines = DocumentFormat.csv.render(launch(Fixture.sideBySide())).split(separator: "\n")
    #expect(
      lines.contains(
        "object-graph-faulting,medium,first-menu,atomic,first-screen,wall,ns,,,,,6,,,failed: it hung"
      )
    )
    #expect(
      lines.contains {
        $0.hasPrefix("memory,medium,roundtrip,atomic,stored_bytes,stored_bytes,B,,,,,1,,,is unsup")
      })
  }
}
