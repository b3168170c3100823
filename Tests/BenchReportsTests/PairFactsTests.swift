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
      (.interrupted, "12 to 44 in 3 cells, interrupted"),
      (.running, "12 to 44 in 3 cells, not finished"), (.failed, "12 to 44 in 3 cells, failed"),
    ])
  func ends(stop: Outcome.Stop, reason: String) {
    var gate = Fixture.gate
    for index in gate.candidate.outcomes.indices { gate.candidate.outcomes[index].stop = stop }
    // A cell that was only counted.
    var counted = gate.candidate.outcomes[0]
    (counted.stop, counted.timedBlocks) = (.blocks, 0)
    gate.candidate.outcomes.append(counted)
    let line = FactSection(report: Self.report(gate)).pairs
    #expect(line?.hasSuffix(", analysed after 12, 20, 36: \(reason)") == true)
  }

  @Test("A cost has the pairs that its verdict comes from")
  func pairs() {
    let costs = Self.report(Fixture.gate).judgedCosts
    #expect(
      costs.map { "\($0.cell.backend) \($0.phase) \($0.comparison?.pairs ?? 0)" } == [
        "json save 24", "json load 24", "sqlite save 24", "sqlite load 12",
      ])
  }

  @Test("A gate tells how often gates are wrong, what it would have found, and how to repeat it")
  func facts() throws {
    var gate = Fixture.gate
    func lines() -> [Substring] {
      GateFacts(report: Self.report(gate)).parts.map(\.markdown).joined().split(separator: "\n")
    }
    let (red, gates) = SequentialTest.selfTest
    #expect(lines()[0].contains("\(red) of \(gates) gates"))
    // In one of the four costs, noise hides 5 %.
    #expect(lines()[1].hasPrefix("- 1 of 2 "))
    let command = "bench gate --against a480758d2b64 --backend json,sqlite,memory --budget 300"
    #expect(lines()[2].hasSuffix(" \(command) --inject json/decode:slowdown=20%"))
    gate.candidate.pairing?.injection = nil
    gate.candidate.settings.takesAll = [.backends]
    for place in gate.candidate.cells.indices {
      gate.candidate.cells[place].cell.menu = "a menu.json"
      gate.candidate.cells[place].cell.durability = "durable"
    }
    gate.candidate.cells.removeAll { $0.metric.isTime }
    gate.baseline.pairing?.revision = nil
    #expect(
      lines()[1].hasSuffix(
        ": bench gate --against /old/bench --backend all --menu 'a menu.json' --durability durable"
          + " --tier exact --budget 300"))
    #expect(
      GateFacts(report: Report(record: Fixture.run(), baseline: Fixture.baseline)).parts.isEmpty)
  }

  private static func report(_ gate: GateFixture) -> Report {
    Report(record: gate.candidate, baseline: gate.baseline)
  }
}
