import Basics
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("A replay")
struct ReplayTests {
  @Test("Raises no more false alarms in 300 suites of 16 rows than its level allows")
  func falseAlarms() throws {
    var tally = ReplayTally()
    for seed in 1...300 {
      var noise = Noise(seed: UInt64(seed), deviation: 0.02, isHeavy: seed.isMultiple(of: 2))
      tally.add(suite(noisyCells(4, &noise)))
    }
    #expect(tally.redRows.of == 4_800 && tally.redSuites.of == 300, "seeds 1 to 300")
    // At most 0.1 % of rows and 1 % of suites.
    #expect(tally.redRows.count <= 4)
    #expect(tally.redSuites.count <= 3)
    #expect(tally.greenRows.count <= 4)
  }

  @Test("Finds 5 % of a deviation of 2 % in at least nine of ten suites, and only that")
  func power() {
    let slowed = key("decode", in: cell("backend0"))
    var tally = ReplayTally(expected: [slowed])
    for seed in 1...60 {
      var noise = Noise(seed: UInt64(seed), deviation: 0.02)
      tally.add(suite(noisyCells(4, moved: log(1.05), &noise)))
    }
    #expect(tally.detections.of == 60)
    #expect(tally.detections.count >= 54, "seeds 1 to 60")
    #expect(tally.redSuites.count <= 1)
  }

  @Test("Comes to the same for one seed, and to other draws for another")
  func seeded() throws {
    let replay = try replay(moved: 0)
    #expect(replay.suite(seed: 7) == replay.suite(seed: 7))
    var (first, second) = (SplitMix64(seed: 1), SplitMix64(seed: 2))
    #expect(
      replay.drawn(&first).map { $0.rows[0].differences }
        != replay.drawn(&second).map { $0.rows[0].differences })
  }

  @Test("Keeps the rows and the control of a turn together, and swaps them together")
  func together() throws {
    let turns = (1...9).map { Double($0) / 100 }
    let gate = Gate([
      key(): turns, key("read"): turns.map { $0 * 2 }, key("control"): turns.map { $0 * 3 },
    ])
    let pool = try #require(ReplayPool(candidate: gate.candidate, baseline: gate.baseline))
    var generator = SplitMix64(seed: 3)
    let cell = Replay(pool: pool).drawn(&generator)[0]
    #expect(cell.turns == 52)
    let drawn = (cell.rows[0].differences + []).compactMap { $0 }
    #expect(drawn.contains { $0 > 0 } && drawn.contains { $0 < 0 })
    #expect(drawn.allSatisfy { value in turns.contains { abs($0 - abs(value)) < 1e-9 } })
    let (other, control) = (cell.rows[1].differences, try #require(cell.control))
    #expect(drawn.count == 52 && other.count == 52 && control.count == 52)
    for (value, (other, control)) in zip(drawn, zip(other, control)) {
      #expect(abs((other ?? 0) - value * 2) < 1e-9 && abs((control ?? 0) - value * 3) < 1e-9)
    }
  }

  @Test("Swaps the rows beside an injected one, which nothing was done to")
  func besideInjected() throws {
    let gate = Gate([
      key(): Array(repeating: 0.1, count: 9), key("read"): Array(repeating: 0.1, count: 9),
    ])
    let pool = try #require(ReplayPool(candidate: gate.candidate, baseline: gate.baseline))
    var generator = SplitMix64(seed: 3)
    let cell = Replay(pool: pool, injected: pool, changed: [key()]).drawn(&generator)[0]
    let rows = Dictionary(
      uniqueKeysWithValues: cell.rows.map { ($0.key, $0.differences.compactMap { $0 }) })
    #expect(rows[key()]?.allSatisfy { abs($0 - 0.1) < 1e-9 } == true)
    #expect(rows[key("read")]?.contains { $0 < 0 } == true)
    #expect(rows[key("read")]?.contains { $0 > 0 } == true)
  }

  @Test("Takes an injected row unswapped, so that its change stands")
  func injected() throws {
    let replay = try replay(moved: 0.1)
    var tally = ReplayTally(expected: [key(in: cell())])
    for seed in 0..<40 { tally.add(replay.suite(seed: UInt64(seed))) }
    #expect(tally.detections == .init(count: 40, of: 40))
    #expect(tally.redRows == .init(count: 0, of: 40))
    #expect(tally.meanPairs.map { $0 >= 12 && $0 <= 32 } == true)
  }

  @Test("Leaves out turns of which a row has no ratio, and is none without a whole turn")
  func wholeTurns() throws {
    var gate = Gate([key(): steady(0, turns: 9), key("read"): steady(0, turns: 9)])
    gate.candidate.cells[0].blocks[4] = []
    let pool = try #require(ReplayPool(candidate: gate.candidate, baseline: gate.baseline))
    #expect(pool.turns == [cell(): 8])
    #expect(Set(pool.rows) == [key(), key("read")])
    gate.candidate.cells[0].blocks = Array(repeating: [0], count: 9)
    #expect(ReplayPool(candidate: gate.candidate, baseline: gate.baseline) == nil)
    gate.candidate.pairing = nil
    #expect(ReplayPool(candidate: gate.candidate, baseline: gate.baseline) == nil)
  }

  @Test("Tells what plans of looks decide, find and take")
  func schedules() throws {
    let (quiet, slowed) = (try pool(0), try pool(0.1))
    func trial(_ looks: [Int], seconds: Double? = 2) -> ScheduleTrial {
      ScheduleTrial(
        looks: looks, pool: quiet, slowed: [(slowed, key(in: cell()))],
        secondsPerPair: seconds.map { [cell(): $0, cell("plist"): $0] } ?? [:], suites: 10, seed: 1)
    }
    let (gate, late) = (trial(ScheduleTrial.looks[0]), trial([32]))
    #expect(ScheduleTrial.looks[0] == LookPlan().screening)
    for trial in [gate, late] {
      #expect(trial.decided == 2 && trial.found == .init(count: 10, of: 10))
      #expect(trial.unchanged.redSuites == .init(count: 0, of: 10))
    }
    // Two cells of steady rows, 2 s a pair: settled by the first look, of 12 pairs and of 32.
    #expect(gate.seconds == 48 && late.seconds == 128)
    #expect(gate.decidedPerMinute == 2.5)
    #expect(trial([12], seconds: nil).seconds == nil)
    #expect(trial([12], seconds: nil).decidedPerMinute == nil)
  }

  @Test("Is counted with exact intervals")
  func tally() {
    var tally = ReplayTally(expected: [key("read")])
    #expect(tally.redSuites.share == nil && tally.redSuites.interval == nil)
    #expect(tally.meanPairs == nil)
    tally.add(
      Replay.Suite(
        verdicts: [
          key(): .regressed, key("write"): .improved, key("read"): .regressed,
          key("decode"): .inconclusive(.noRatio),
        ], pairs: [cell(): 24]))
    tally.add(
      Replay.Suite(
        verdicts: [key(): .unchanged, key("read"): .unchanged], pairs: [cell(): 12]))
    #expect(tally.redRows == .init(count: 1, of: 4))
    #expect(tally.greenRows == .init(count: 1, of: 4))
    #expect(tally.inconclusiveRows == .init(count: 1, of: 4))
    #expect(tally.redSuites == .init(count: 1, of: 2))
    #expect(tally.detections == .init(count: 1, of: 2))
    #expect(tally.redSuites.share == 0.5 && tally.meanPairs == 18)
    #expect(tally.redSuites.interval.map { abs($0.low - 0.012579117093425) < 1e-9 } == true)
  }

  /// Two cells, the first of which has an injected pool.
  private func replay(moved: Double) throws -> Replay {
    Replay(
      pool: try pool(0), injected: moved == 0 ? nil : try pool(moved),
      changed: moved == 0 ? [] : [key(in: cell())])
  }

  /// Of two cells with nothing changed, or of the first with a change.
  private func pool(_ middle: Double) throws -> ReplayPool {
    let cells = [cell(), cell("plist")].prefix(middle == 0 ? 2 : 1)
    let rows = cells.flatMap { cell in
      [(key(in: cell), steady(middle)), (key("control", in: cell), steady(0))]
    }
    let gate = Gate(Dictionary(uniqueKeysWithValues: rows))
    return try #require(ReplayPool(candidate: gate.candidate, baseline: gate.baseline))
  }

  private func suite(_ cells: [PairedCell]) -> Replay.Suite {
    let test = SequentialTest(cells, plan: LookPlan())
    let rows = test.verdicts { _, _ in .wide(smallestChange: 1) }
    return Replay.Suite(verdicts: rows.compactMapValues(\.verdict), pairs: test.pairs)
  }
}
