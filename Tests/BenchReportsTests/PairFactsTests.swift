import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("Why a gate has no more pairs")
struct PairFactsTests {
  @Test("A cell that was suspected says how many pairs were fresh, others that all was decided")
  func decided() {
    let line = Self.line(.blocks)
    #expect(line?.hasSuffix("12 in 1 cell, every row decided") == true)
    #expect(line?.contains("24 to 44 in 2 cells, the last 12 of them to confirm a") == true)
  }

  @Test(
    "A cell that ended early says why",
    arguments: [
      (Outcome.Stop.budget, "44 in 1 cell, the budget of 300 s ended before the next look"),
      (.interrupted, "12 to 44 in 3 cells, interrupted"),
      (.running, "12 to 44 in 3 cells, interrupted"), (.failed, "12 to 44 in 3 cells, failed"),
    ])
  func early(stop: Outcome.Stop, text: String) {
    #expect(Self.line(stop)?.contains(": \(text)") == true)
  }

  @Test("A cell whose rows stayed open to the last look has the most pairs that were planned")
  func cap() {
    let line = Self.line(.blocks) { gate in
      for path in [\GateFixture.candidate, \.baseline] {
        gate[keyPath: path].cells.removeAll { $0.phase == "decode" }
      }
    }
    #expect(line?.contains(": 44 in 1 cell, the most that were planned; 24 in 1 cell") == true)
  }

  @Test("A verdict names the pairs that it rests on: fresh ones, those of the last look, or none")
  func pairs() {
    let report = Self.report(Fixture.gate)
    let pairs = report.rows.filter { $0.cell.backend == "json" }.map { report.pairs(of: $0) }
    #expect(pairs == [nil, "32 pairs", nil, "12 fresh pairs", nil, nil, nil])
  }

  private static func line(
    _ stop: Outcome.Stop, _ change: (inout GateFixture) -> Void = { _ in }
  ) -> String? {
    var gate = Fixture.gate
    change(&gate)
    for path in [\GateFixture.candidate, \.baseline] {
      for index in gate[keyPath: path].outcomes.indices {
        gate[keyPath: path].outcomes[index].stop = stop
      }
    }
    return FactSection(report: report(gate)).pairs
  }

  private static func report(_ gate: GateFixture) -> Report {
    Report(record: gate.candidate, baseline: gate.baseline)
  }
}
