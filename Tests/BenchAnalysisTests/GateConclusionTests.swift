import BenchAnalysis
import BenchResults
import Foundation
import Testing

@Suite("Conclusions on a gate")
struct GateConclusionTests {
  @Test("Times of a stored baseline that are not judged, or were not measured, are named")
  func notJudged() {
    func report(_ now: [Series], _ then: [Series]) -> Report {
      Report(record: run(now), baseline: run(then), gatesTimes: false)
    }
    let timed = report([wall(200), control()], [wall(100), control()])
    #expect(timed.regressions.isEmpty)
    let counted = report([exact(7)], [exact(7)])
    for (report, words) in [(timed, "are shown but not judged"), (counted, "were not measured")] {
      #expect(
        report.conclusions.map(\.text) == [
          "times \(words), because the machine's speed may differ from the baseline's (bench gate"
            + " --against measures both side by side)"
        ])
    }
  }

  @Test("A budget that ended a gate is named with the number of undecided times, if any")
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
              "the budget of 60.0 s ended before 1 time was decided: raise it with --budget",
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
}
