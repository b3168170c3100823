import BenchAnalysis
import BenchResults
import Foundation
import Testing

@Suite("Conclusions on a gate")
struct GateConclusionTests {
  @Test("Rows that nearly all move one way are a warning, though none is flagged")
  func oneSided() {
    let texts = Self.gate(slower: 15, of: 16).report.conclusions.map(\.text)
    #expect(
      texts.contains(
        "15 of 16 judged times came out slower, by 0.8 % in the median (p = 0.00052): what all"
          + " share may have changed, though no row alone need show it"))
    let swapped = Self.gate(slower: 15, of: 16).swapped.report.conclusions
    #expect(
      swapped.contains { $0.severity == .warning && $0.text.hasPrefix("15 of 16 judged times") })
    #expect(swapped.contains { $0.text.contains("came out faster, by 0.8 %") })
  }

  @Test("A majority that a coin might bring is no news", arguments: [(13, 16), (8, 16), (7, 7)])
  func noMajority(slower: Int, count: Int) {
    let conclusions = Self.gate(slower: slower, of: count).report.conclusions
    #expect(!conclusions.contains { $0.text.contains("came out") })
  }

  @Test("CPU time of a phase that has wall time is no further row of the majority")
  func oneRowAPhase() {
    var gate = Self.gate(slower: 7, of: 7)
    for index in 0..<7 {
      for path in [\Gate.candidate, \Gate.baseline] {
        var cpu = gate[keyPath: path].cells[index]
        cpu.metric = .cpu
        gate[keyPath: path].cells.append(cpu)
      }
    }
    #expect(!gate.report.conclusions.contains { $0.text.contains("came out") })
  }

  @Test("A suspicion that was not confirmed is told as a hint")
  func unconfirmed() {
    let gate = Gate([key(): steady(0.1, turns: 12) + steady(0, turns: 12)])
    #expect(
      gate.report.conclusions.contains(
        Conclusion(
          .hint,
          "1 suspicion was not confirmed by fresh pairs: json/large encode wall (1.11× slower)")))
  }

  @Test("Times of a stored baseline that are not judged are said to be so")
  func notJudged() {
    let report = Report(
      record: run([wall(200), control()]), baseline: run([wall(100), control()]),
      gatesTimes: false)
    #expect(report.regressions.isEmpty)
    #expect(
      report.conclusions.map(\.text) == [
        "times are shown and not judged, since the machine may have changed its pace since the"
          + " baseline; bench gate --against measures both side by side"
      ])
  }

  @Test("Counters set against a stored run say that no time was measured")
  func notMeasured() {
    let report = Report(record: run([exact(7)]), baseline: run([exact(7)]), gatesTimes: false)
    #expect(
      report.conclusions.map(\.text) == [
        "times were not measured, since the machine may have changed its pace since the baseline;"
          + " bench gate --against measures both side by side"
      ])
  }

  @Test("A budget that ended a gate is counted in the times that it left open, if any")
  func budget() {
    var noise = Noise(seed: 1, deviation: 0.2)
    let turns = (0..<12).map { _ in noise.next() }
    for (differences, count) in [(turns, 1), (steady(0, turns: 12), 0)] {
      var gate = Gate([key(): differences])
      gate.candidate.outcomes = [Outcome(cell: cell(), timedBlocks: 12, stop: .budget)]
      let texts = gate.report.conclusions.map(\.text).filter { $0.contains("budget") }
      #expect(
        texts
          == Array(
            repeating:
              "the budget of 60.0 s ended before 1 time was decided: give more with --budget",
            count: count))
    }
  }

  @Test("Instructions that the baseline never counted are new, not incomparable")
  func newInstructions() {
    let series = Series(cell: cell(), phase: "encode", metric: .instructions, blocks: [[9]])
    var machine = machine()
    machine.instructionCounter = "callgrind"
    let report = Report(record: run([series], machine: machine), baseline: run([exact(7)]))
    #expect(report.rows.first?.verdict == .new)
    #expect(!report.conclusions.contains { $0.text.hasPrefix("instructions are not compared") })
  }

  private static func gate(slower: Int, of count: Int) -> Gate {
    let rows = (0..<count).map { row in
      (key("phase\(row)"), steady(row < slower ? 0.008 : -0.008, spread: 0.001, turns: 12))
    }
    return Gate(Dictionary(uniqueKeysWithValues: rows + [(key("control"), steady(0, turns: 12))]))
  }
}
