import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The number of pairs of a gate")
struct PairFactsTests {
  @Test(
    "The report has the number of pairs of the cells, and why there are no more",
    arguments: [
      (Outcome.Stop.blocks, "12 to 44 in 3 cells, as many as planned"),
      // The budget is not a reason if every row was decided.
      (
        .budget,
        "12 to 24 in 2 cells, as many as planned; 44 in 1 cell, the budget of 300 s ended first"
      ), (.interrupted, "12 to 44 in 3 cells, interrupted"),
      (.running, "12 to 44 in 3 cells, not finished"), (.failed, "12 to 44 in 3 cells, failed"),
    ])
  func ends(stop: Outcome.Stop, reason: String) {
    var gate = Fixture.gate
    for index in gate.candidate.outcomes.indices { gate.candidate.outcomes[index].stop = stop }
    let line = FactSection(report: Self.report(gate)).pairs
    #expect(line?.hasSuffix(", analysed after 12, 20, 32: \(reason)") == true)
  }

  @Test("A verdict names its pairs: fresh ones, those of the last analysis, or none")
  func pairs() {
    let report = Self.report(Fixture.gate)
    let pairs = report.rows.filter { $0.cell.backend == "json" }.map { report.pairs(of: $0) }
    #expect(pairs == [nil, "32 pairs", nil, "12 fresh pairs", nil, nil, nil])
  }

  private static func report(_ gate: GateFixture) -> Report {
    Report(record: gate.candidate, baseline: gate.baseline)
  }
}
