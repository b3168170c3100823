import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("The sequential test")
struct SequentialTestTests {
  @Test("It analyses after 12, 20 and 36 pairs by default, and gives a suspect 20 fresh ones")
  func usualPlan() {
    #expect(InterimPlan() == InterimPlan(screening: [12, 20, 36], confirmation: 20, ended: nil))
    let gate = Gate([key(): steady(0.1, turns: 12)], plan: InterimPlan())
    #expect(gate.test?.nextStep == .confirmation([cell(): 32]))
  }

  @Test("It asks for the pairs of the first analysis before anything is timed")
  func start() {
    let gate = Gate([:], others: [exact(7), exact(7, in: cell("plist"))])
    #expect(gate.test?.nextStep == .screening([cell(): 12, cell("plist"): 12]))
    #expect(gate.rows.isEmpty)
  }

  @Test("It is done if the first analysis settles every row, and uses only its pairs")
  func settled() {
    let gate = Gate([key(): steady(0.001, turns: 12), key("control"): steady(0.5, turns: 12)])
    #expect(gate.test?.nextStep == .done)
    #expect(gate.test?.pairs == [cell(): 12])
    #expect(gate.rows[key()]?.verdict == .unchanged)
    #expect(gate.rows[key()]?.pairs == 12)
    #expect(gate.rows.count == 1)
  }

  @Test("It asks for the next analysis only of cells with an open row")
  func nextLook() {
    let wide = steady(0, spread: 0.08, turns: 12)
    let other = cell("plist")
    let gate = Gate([
      key(): wide, key("read"): steady(0, turns: 12), key("write", in: other): steady(0, turns: 12),
    ])
    #expect(gate.test?.nextStep == .screening([cell(): 20]))
    #expect(gate.rows[key("read")]?.verdict == .unchanged)
    #expect(gate.rows[key()]?.verdict?.isInconclusive == true)
  }

  @Test("It asks for no more pairs of a row that none could settle, unless it may have changed")
  func hopeless() {
    let wide = steady(0, spread: 0.4, turns: 12)
    let gate = Gate([key(): wide])
    #expect(gate.test?.nextStep == .done)
    #expect(gate.rows[key()]?.verdict?.isInconclusive == true)
    let moved = Gate([key(): wide.map { $0 + 0.15 }])
    #expect(moved.test?.nextStep == .screening([cell(): 20]))
  }

  @Test("A suspected cell gets fresh pairs, and until then its row cannot be decided")
  func suspicion() throws {
    let gate = Gate([key(): steady(0.1, turns: 12)])
    #expect(gate.test?.nextStep == .confirmation([cell(): 24]))
    let upTo = try #require(gate.rows[key()]?.verdict?.upTo)
    #expect(upTo > exp(0.1) && upTo < exp(0.106))
    #expect(gate.rows[key()]?.adjustedP == nil)
  }

  @Test("A verdict and its figures come from all pairs, the fresh ones included")
  func proven() throws {
    let gate = Gate([key(): steady(0.1, spread: 0.05, turns: 24)])
    #expect(gate.test?.nextStep == .done)
    #expect(gate.test?.pairs == [cell(): 24])
    let row = try #require(gate.rows[key()])
    #expect(row.verdict == .regressed)
    #expect(row.pairs == 24)
    #expect(row.ratio.map { abs(log($0) - 0.1) < 0.001 } == true)
    #expect(row.interval?.contains(exp(0.1)) == true)
    #expect(row.adjustedP == SignedRank.smallestP(24))
    let figures = try #require(row.paired)
    #expect(figures.baseline == 1e6 && row.ratio.map { figures.now == 1e6 * $0 } == true)
    #expect(gate.swapped.rows[key()]?.verdict == .improved)
  }

  @Test(
    "Fresh pairs that disagree in sign or size leave a row undecided", arguments: [0.005, -0.1])
  func refuted(fresh: Double) {
    let gate = Gate([key(): steady(0.1, spread: 0.09, turns: 12) + steady(fresh, turns: 12)])
    #expect(gate.rows[key()]?.verdict?.isInconclusive == true)
    #expect(gate.test?.nextStep == .done)
  }

  @Test("If an analysis is given up, weaker evidence makes a suspect, and later pairs are fresh")
  func endedEarly() {
    let wide = steady(0, spread: 0.2, turns: 12)
    // Its p-value of 0.02 is below 0.05, but not below 0.005.
    let slow = steady(0.07, spread: 0.12, turns: 12)
    #expect(Gate([key(): slow]).test?.nextStep == .screening([cell(): 20]))
    let early = InterimPlan(confirmation: 12, ended: 12)
    let before = Gate([key(): slow, key("read"): wide], plan: early)
    #expect(before.test?.nextStep == .confirmation([cell(): 24]))
    let after = Gate([key(): slow + steady(0.1, turns: 12), key("read"): wide + wide], plan: early)
    #expect(after.test?.nextStep == .done)
    #expect(after.rows[key()]?.pairs == 24)
    #expect(after.rows[key("read")]?.verdict?.isInconclusive == true)
  }

  @Test("One wild pair does not hide the agreement of the others")
  func wildPair() {
    var slow = steady(0.1, turns: 48)
    (slow[3], slow[25]) = (-2, -2)
    #expect(Gate([key(): slow], plan: InterimPlan()).rows[key()]?.verdict == .regressed)
  }

  @Test("Pairs beyond the planned number are ignored")
  func surplus() {
    let planned = steady(0.1, turns: 24)
    let rows = Gate([key(): planned]).rows
    let more = Gate([key(): planned + steady(-3, turns: 20)])
    #expect(more.rows[key()]?.ratio == rows[key()]?.ratio)
    #expect(more.rows[key()]?.verdict == .regressed)
    #expect(more.test?.pairs == [cell(): 24])
  }

  @Test("The p-value is adjusted for all judged rows by Holm's method")
  func level() {
    let rows = ["a", "b", "c"].map { (key($0), steady(0, turns: 24)) }
    let gate = Gate(
      Dictionary(uniqueKeysWithValues: rows + [(key(), steady(0.1, spread: 0.001, turns: 24))]))
    #expect(gate.rows[key()]?.adjustedP == 4 * SignedRank.smallestP(24))
  }

  @Test("Where successive pairs are alike, four of five must agree beyond what counts")
  func alike() throws {
    // The ratio doubles, and creeps up meanwhile: no chance explains that.
    let doubled = (0..<24).map { log(2) + Double($0) * 0.004 }
    let slow = try #require(Gate([key(): doubled]).rows[key()])
    #expect(slow.verdict == .regressed)
    #expect(
      slow.interval.map { log($0.low) < log(2) + 0.01 && log($0.high) > log(2) + 0.08 } == true)
    // As many pairs above 5 % as below 0, one after the other.
    let wandering = (0..<24).map { 0.04 - 0.06 * cos(Double($0) / 4) }
    #expect(Gate([key(): wandering]).rows[key()]?.verdict?.isInconclusive == true)
    let within = (0..<24).map { Double($0) * 0.0005 }
    #expect(Gate([key(): within]).rows[key()]?.verdict == .unchanged)
  }

  @Test("Rows are not judged if neither side differs from an empty sample")
  func tiny() {
    var gate = Gate([key(): steady(0.5), key("read"): steady(0.5)])
    for index in gate.candidate.cells.indices where gate.candidate.cells[index].phase == "read" {
      gate.candidate.cells[index].blocks = Array(repeating: [300], count: 44)
      gate.baseline.cells[index].blocks = Array(repeating: [250], count: 44)
    }
    (gate.candidate.machine.emptySample, gate.baseline.machine.emptySample) = (41, 41)
    #expect(Set(gate.rows.keys) == [key()])
    let row = gate.comparison.rows[key("read")]
    #expect(row?.verdict == nil && row?.ratio.map { abs($0 - 1.2) < 1e-9 } == true)
    gate.candidate.machine.emptySample = 29
    #expect(gate.rows[key("read")]?.verdict?.isInconclusive == true, "it may be one line of memory")
  }

  @Test(
    "A tolerance on a time is the change that it must exceed, for its CPU time and mean as well")
  func tolerance() {
    let gate = Gate([key(): steady(log(1.1))])
    func verdict(_ tolerance: Tolerance) -> Verdict? {
      Comparison(
        candidate: gate.candidate, baseline: gate.baseline,
        tolerances: Tolerances([.init(RowSelector(phase: "encode", metric: "wall"), tolerance)])
      ).rows[key()]?.verdict
    }
    #expect(verdict(.relative(0.08)) == .regressed)
    #expect(verdict(.relative(0.12)) == .unchanged)
    #expect(verdict(.absolute(80_000)) == .regressed)
    #expect(verdict(.absolute(120_000)) == .unchanged)
    let all = Tolerances([.init(RowSelector(metric: "wall"), .relative(0.3))])
    #expect(["cpu", "wall_mean"].allSatisfy { all.of(key().of(metric: $0)) == .relative(0.3) })
    let ofMeans = Tolerances([.init(RowSelector(metric: "wall_mean"), .relative(0.3))])
    #expect(["cpu", "wall"].allSatisfy { ofMeans.of(key().of(metric: $0)) == nil })
  }

  @Test(
    "A time whose instructions stand still needs strong evidence", arguments: [100_000, 120_000])
  func still(instructions: Double) throws {
    // The p-value of these pairs is between 0.001 and 0.05.
    let slow = steady(0.12, spread: 0.25, turns: 24)
    func gate(_ spread: Double) -> Gate {
      var gate = Gate(
        [key(): spread == 0.25 ? slow : steady(0.1, spread: spread, turns: 24)],
        plan: InterimPlan(confirmation: 12, ended: 12))
      for (side, count) in [(\Gate.candidate, instructions), (\Gate.baseline, 100_000)] {
        gate[keyPath: side].cells.append(
          Series(cell: cell(), phase: "encode", metric: .instructions, blocks: [[count]]))
      }
      return gate
    }
    let p = try #require(SignedRank(slow)).p
    #expect(p > PairedRow.strong && p < 0.05)
    #expect((gate(0.25).rows[key()]?.verdict == .regressed) == (instructions > 100_000))
    #expect(gate(0.05).rows[key()]?.verdict == .regressed)
  }

  @Test("It tells how many judged times would have shown a planted change in their own pairs")
  func planted() {
    let gate = Gate([
      key(): steady(0, turns: 24), key("read"): steady(0, spread: 0.4, turns: 24),
      key("write"): steady(0.001, turns: 24),
    ])
    #expect(gate.test?.planted(share: 0.05) == SequentialTest.Planted(found: 2, of: 3))
    #expect(gate.test?.planted(share: 0.01) == SequentialTest.Planted(found: 0, of: 3))
  }

  @Test("The test does not wait for a cell that failed, nor delay others")
  func failed() {
    let other = cell("plist")
    var gate = Gate([key(): steady(0, turns: 12), key("read", in: other): steady(0, turns: 3)])
    #expect(gate.test?.nextStep == .screening([other: 12]))
    #expect(gate.rows[key()]?.verdict == .inconclusive(.blocks(have: 12, need: 12)))
    gate.baseline.failures = [Failure(cell: other, stage: nil, reason: "it crashed")]
    #expect(gate.test?.nextStep == .done)
    #expect(gate.rows[key()]?.verdict == .unchanged)
    #expect(
      gate.rows[key("read", in: other)]?.verdict == .inconclusive(.blocks(have: 3, need: 12)))
  }

  @Test("If a suspected cell ends without its fresh pairs, the others are still judged")
  func confirmationCutShort() {
    let other = cell("plist")
    var gate = Gate([
      key(): steady(0.1, turns: 24), key("read", in: other): steady(0.1, turns: 17),
    ])
    #expect(gate.test?.nextStep == .confirmation([other: 24]))
    gate.candidate.outcomes = [Outcome(cell: other, timedBlocks: 17, stop: .budget)]
    #expect(gate.test?.nextStep == .done)
    #expect(gate.rows[key()]?.verdict == .regressed)
    #expect(gate.rows[key("read", in: other)]?.verdict?.isInconclusive == true)
  }

  @Test("Runs that are not the two sides of one gate are not tested")
  func notPaired() {
    var gate = Gate([key(): steady(0.1)])
    #expect(gate.comparison.isPaired)
    gate.baseline.pairing?.id = "g2"
    #expect(gate.test == nil && !gate.comparison.isPaired)
    (gate.candidate.pairing, gate.baseline.pairing) = (nil, nil)
    #expect(gate.test == nil && !gate.comparison.isPaired)
  }

  @Test("Sides of different machines or menus are not tested")
  func notComparable() {
    var gate = Gate([key(): steady(0.1)])
    gate.baseline.machine.swift = "6.2"
    #expect(gate.test?.nextStep == .done && gate.rows.isEmpty)
    #expect(gate.comparison.rows[key()]?.verdict == nil)
    #expect(gate.report.outcome().id == "times-not-compared")
    gate = Gate([key(): steady(0.1)])
    gate.baseline.menus[0].fingerprint = "00000000000000bb"
    #expect(gate.test?.nextStep == .done && gate.rows.isEmpty)
  }

  @Test("A cell timed on one side alone is new or missing, and the test does not ask for it")
  func oneSided() {
    var gate = Gate([key(): steady(0, turns: 12), key("read"): steady(0, turns: 12)])
    gate.baseline.cells.removeAll { $0.phase == "read" }
    #expect(gate.comparison.rows[key("read")]?.verdict == .new)
    #expect(gate.swapped.comparison.rows[key("read")]?.verdict == .missing)
    gate.baseline.cells = [exact(7)]
    gate.candidate.cells.append(exact(7))
    #expect(gate.test?.nextStep == .done)
    #expect(gate.swapped.test?.nextStep == .done)
  }

  @Test("Metrics that are neither exact nor times have a ratio and no verdict")
  func others() {
    let pages = Series(cell: cell(), phase: "encode", metric: .touchedBytes, blocks: [[4], [4]])
    var gate = Gate([key(): steady(0, turns: 12)], others: [pages])
    gate.candidate.cells[1].blocks = [[8], [8]]
    let row = gate.comparison.rows[pages.key]
    #expect(row?.ratio.map { abs($0 - 2) < 1e-9 } == true && row?.verdict == nil)
  }

  @Test("Blocks that are empty, unequal, 0 or not a number never trap and never pass")
  func broken() {
    let first: [(inout [[Double]]) -> Void] = [
      { $0[5] = [] }, { $0[5] = [0] }, { $0 = Array(repeating: [0], count: 44) },
      { $0.removeLast(40) }, { $0 = [] }, { $0[5] = [.nan] }, { $0[5] = [.infinity] },
      { $0[5] = [-1] }, { $0[5] = [.leastNormalMagnitude] }, { $0[5] = [.greatestFiniteMagnitude] },
    ]
    for (index, damage) in first.enumerated() {
      var gate = Gate([key(): steady(0), key("read"): steady(0)])
      for series in gate.candidate.cells.indices where gate.candidate.cells[series].phase != "read"
      {
        damage(&gate.candidate.cells[series].blocks)
      }
      let verdict = gate.comparison.rows[key()]?.verdict
      let isHarmless = index >= 8
      #expect((verdict == .unchanged) == isHarmless, "\(index): \(String(describing: verdict))")
      #expect(gate.rows[key("read")]?.verdict == .unchanged, "\(index)")
      #expect(gate.test?.nextStep == .done, "\(index)")
      _ = gate.report
    }
  }

  @Test("A row that is always 0 on both sides is unchanged")
  func zeros() {
    var gate = Gate([key(): steady(0)])
    gate.candidate.cells[0].blocks = Array(repeating: [0], count: 44)
    #expect(gate.rows[key()]?.verdict == .inconclusive(.noRatio))
    gate.baseline.cells[0].blocks = gate.candidate.cells[0].blocks
    #expect(gate.rows[key()]?.verdict == .unchanged)
  }

  @Test("A plan that cannot be followed decides nothing and never asks endlessly")
  func oddPlans() {
    for plan in [
      InterimPlan(screening: [], confirmation: 12),
      InterimPlan(screening: [0, -3], confirmation: 0),
    ] {
      let gate = Gate([key(): steady(0.1)], plan: plan)
      #expect(gate.test?.nextStep == .done)
      #expect(gate.rows[key()]?.verdict?.isInconclusive == true)
    }
    let huge = Gate(
      [key(): steady(0.1)], plan: InterimPlan(screening: [.max, 20, 12], confirmation: .max))
    #expect(huge.test?.nextStep == .confirmation([cell(): 112]))
    let short = Gate([key(): steady(0)], plan: InterimPlan(screening: [5], confirmation: 5))
    #expect(short.rows[key()]?.verdict == .inconclusive(.blocks(have: 5, need: 6)))
  }
}
