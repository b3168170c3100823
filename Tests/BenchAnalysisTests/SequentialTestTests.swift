import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("The sequential test")
struct SequentialTestTests {
  @Test("It analyses after 12, 20 and 32 pairs by default, and confirms with 20 fresh ones")
  func usualPlan() {
    #expect(InterimPlan() == InterimPlan(screening: [12, 20, 32], confirmation: 20, ended: nil))
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
    let gate = Gate([key(): steady(0.001, turns: 12), key("control"): steady(0, turns: 12)])
    #expect(gate.test?.nextStep == .done)
    #expect(gate.test?.pairs == [cell(): 12])
    #expect(gate.rows[key()]?.verdict == .unchanged)
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
    let moved = Gate([key(): wide.map { $0 + 0.2 }])
    #expect(moved.test?.nextStep == .screening([cell(): 20]))
  }

  @Test("It asks for fresh pairs of a suspected cell, which is only a suspicion until then")
  func suspicion() throws {
    let gate = Gate([key(): steady(0.1, turns: 12), key("control"): steady(0, turns: 12)])
    #expect(gate.test?.nextStep == .confirmation([cell(): 24]))
    let suspicion = try #require(gate.rows[key()]?.verdict?.unconfirmed)
    #expect(suspicion.fresh == [0, 12] && abs(suspicion.change - exp(0.1)) < 0.001)
  }

  @Test("The figures next to a ratio are of the same pairs, and never contradict it")
  func figuresBesideRatio() throws {
    // The machine slowed down to half its speed before the fresh pairs.
    var gate = Gate([key(): steady(0.1, turns: 12) + steady(0.06, turns: 12)])
    for turn in 12..<24 {
      for side in [\Gate.candidate, \Gate.baseline] {
        gate[keyPath: side].cells[0].blocks[turn][0] *= 2
      }
    }
    let row = try #require(gate.rows[key()])
    let (figures, ratio) = (try #require(row.paired), try #require(row.ratio))
    #expect(row.verdict == .regressed)
    #expect(abs(ratio - exp(0.06)) < 0.001)
    #expect(figures.baseline == 2e6)
    #expect(figures.now == 2e6 * ratio)
    #expect(row.baselineP50 == 1.5e6)
  }

  @Test("A suspicion that fresh pairs confirm is a verdict with their ratio")
  func confirmed() throws {
    let gate = Gate([key(): steady(0.1, turns: 12) + steady(0.06, turns: 12)])
    #expect(gate.test?.nextStep == .done)
    #expect(gate.test?.pairs == [cell(): 24])
    let row = try #require(gate.rows[key()])
    #expect(row.verdict == .regressed)
    #expect(abs((row.ratio ?? 0) - exp(0.06)) < 0.001)
    #expect(row.interval?.contains(exp(0.06)) == true)
    #expect(row.adjustedP == 2.0 / 4096)
    #expect(gate.swapped.rows[key()]?.verdict == .improved)
  }

  @Test("If an analysis is given up, the pairs after the last one are fresh ones")
  func endedEarly() {
    let wide = steady(0, spread: 0.2, turns: 12)
    let slow = steady(0.1, turns: 12)
    let early = InterimPlan(confirmation: 12, ended: 12)
    let before = Gate([key(): slow, key("read"): wide], plan: early)
    #expect(before.test?.nextStep == .confirmation([cell(): 24]))
    let after = Gate([key(): slow + slow, key("read"): wide + wide], plan: early)
    #expect(after.test?.nextStep == .done)
    #expect(after.rows[key()]?.verdict == .regressed)
    #expect(after.rows[key("read")]?.verdict?.isInconclusive == true)
  }

  @Test("A suspicion that fresh pairs do not confirm is dropped", arguments: [0, 0.015, -0.1])
  func refuted(fresh: Double) {
    let gate = Gate([key(): steady(0.1, turns: 12) + steady(fresh, turns: 12)])
    #expect(gate.rows[key()]?.verdict?.unconfirmed?.fresh == [12, 12])
    #expect(gate.test?.nextStep == .done)
  }

  @Test("One wild pair does not hide the agreement of the others")
  func wildPair() {
    var slow = steady(0.1, turns: 32)
    (slow[3], slow[25]) = (-2, -2)
    #expect(Gate([key(): slow]).rows[key()]?.verdict == .regressed)
  }

  @Test("Pairs beyond the planned number are ignored")
  func surplus() {
    let planned = steady(0.1, turns: 12) + steady(0.1, turns: 12)
    let rows = Gate([key(): planned]).rows
    let more = Gate([key(): planned + steady(-3, turns: 20)])
    #expect(more.rows[key()]?.ratio == rows[key()]?.ratio)
    #expect(more.rows[key()]?.verdict == .regressed)
    #expect(more.test?.pairs == [cell(): 24])
  }

  @Test("The p-value is multiplied by the analyses and the rows")
  func level() throws {
    let slow = steady(0.1, spread: 0.001, turns: 12)
    let rows = ["a", "b", "c"].map { (key($0), steady(0, turns: 12)) } + [(key(), slow)]
    let gate = Gate(Dictionary(uniqueKeysWithValues: rows))
    let adjusted: Double = 3 * 4 * 2 / 4096
    #expect(gate.rows[key()]?.adjustedP == adjusted)
  }

  @Test("Twelve pairs can suspect one of 34 rows in three analyses, and none of 35")
  func mostRows() {
    func isSuspected(_ count: Int) -> Bool {
      var rows = Dictionary(
        uniqueKeysWithValues: (1..<count).map { (key("p\($0)"), steady(0, turns: 12)) })
      rows[key()] = steady(0.1, spread: 0.001, turns: 12)
      return Gate(rows).test?.nextStep == .confirmation([cell(): 24])
    }
    #expect(isSuspected(34))
    #expect(!isSuspected(35))
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

  @Test("A tolerance on a time is the change that it must exceed")
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
  }

  @Test("A control's slight movement is noise that an effect in its own cell must exceed")
  func noise() throws {
    func gate(_ moved: Double) -> Gate {
      // The spread is so large that the movement is not a real drift.
      Gate([key(): steady(0.06), key("control"): steady(moved, spread: 0.5)])
    }
    #expect(gate(0).rows[key()]?.verdict == .regressed)
    #expect(gate(0.08).rows[key()]?.verdict?.isInconclusive == true)
    let threshold = try #require(gate(0.08).rows[key()]?.threshold)
    #expect(log(threshold) > 0.06)
  }

  @Test("The median of all controls' slight movements is noise everywhere, and the largest is not")
  func learnedElsewhere() {
    let others = ["plist", "sqlite"].map { cell($0) }
    func gate(_ moved: [Double]) -> Gate {
      var rows = [key(): steady(0.06), key("control"): steady(0)]
      for (other, moved) in zip(others, moved) {
        rows[key("read", in: other)] = steady(0)
        rows[key("control", in: other)] = steady(moved, spread: 0.5)
      }
      return Gate(rows)
    }
    #expect(gate([0, 0.08]).rows[key()]?.verdict == .regressed)
    #expect(gate([0.08, 0.08]).rows[key()]?.verdict?.isInconclusive == true)
  }

  @Test("If the control moved for real, times that moved little further are inconclusive")
  func drift() throws {
    let gate = Gate([key(): steady(0.06), key("control"): steady(0.05)])
    let ratio = try #require(gate.rows[key()]?.verdict?.drift)
    #expect(abs(ratio - exp(0.05)) < 0.001)
    #expect(gate.test?.pairs == [cell(): 32])
    #expect(gate.comparison.drifts.keys.sorted { "\($0)" < "\($1)" } == [cell()])
    #expect(
      gate.report.conclusions.map(\.text).contains {
        $0.hasSuffix(": a time there is only decided if it moved further")
      })
  }

  @Test("A time that moved far more than its control is found, and never unchanged")
  func beyondDrift() throws {
    let gate = Gate([
      key(): steady(0.7), key("read"): steady(-0.2), key("write"): steady(0),
      key("control"): steady(0.05),
    ])
    #expect(gate.rows[key()]?.verdict == .regressed)
    #expect(gate.rows[key("read")]?.verdict == .improved)
    #expect(gate.rows[key("write")]?.verdict?.drift != nil)
    let threshold = try #require(gate.rows[key()]?.threshold)
    #expect(abs(log(threshold) - log(1.02) - 0.05) < 0.001)
  }

  @Test("With many rows, the first analysis takes enough pairs to prove anything")
  func manyRows() {
    func test(_ rows: Int, turns: Int, _ plan: InterimPlan = InterimPlan()) -> SequentialTest {
      let rows = (0..<rows).map { row in
        PairedRow(
          key: key("phase\(row)"), metric: .wall,
          differences: steady(row == 0 ? 2 : 0, turns: turns).map { $0 })
      }
      return SequentialTest(
        [PairedCell(cell: cell(), rows: rows, control: nil, turns: turns)], plan: plan)
    }
    #expect(test(10, turns: 12).raisedPlan == nil)
    #expect(test(10, turns: 12).nextStep == .confirmation([cell(): 32]))
    // 200 rows at three looks: 600 × 2⁻¹³ is not below 0.05, 600 × 2⁻¹⁴ is.
    #expect(test(200, turns: 11).raisedPlan == nil, "its rows are not known yet")
    let raised = test(200, turns: 12).raisedPlan
    #expect(raised == InterimPlan(screening: [15, 20, 32]))
    let plan = raised ?? InterimPlan()
    #expect(test(200, turns: 12, plan).raisedPlan == nil)
    #expect(test(200, turns: 12, plan).nextStep == .screening([cell(): 15]))
    #expect(test(200, turns: 15, plan).nextStep == .confirmation([cell(): 35]))
    // With fewer rows at the end than at the first look the plan stays.
    #expect(test(10, turns: 15, plan).nextStep == .confirmation([cell(): 35]))
  }

  @Test("If the control moved for real in the fresh pairs, the suspicion is inconclusive")
  func freshDrift() {
    let gate = Gate([
      key(): steady(0.06, turns: 24),
      key("control"): steady(0, turns: 12) + steady(0.05, turns: 12),
    ])
    #expect(gate.rows[key()]?.verdict?.drift != nil)
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

  @Test("If the budget ends a confirmation, complete cells are judged by their fresh pairs")
  func confirmationCutShort() {
    let other = cell("plist")
    var gate = Gate([
      key(): steady(0.1, turns: 24), key("read", in: other): steady(0.1, turns: 17),
    ])
    #expect(gate.test?.nextStep == .confirmation([other: 24]))
    #expect(gate.rows[key()]?.verdict?.isInconclusive == true)
    gate.candidate.outcomes = [Outcome(cell: other, timedBlocks: 17, stop: .budget)]
    #expect(gate.rows[key()]?.verdict == .regressed)
    #expect(gate.rows[key("read", in: other)]?.verdict?.unconfirmed?.fresh == [5, 12])
    #expect(
      gate.report.conclusions.map(\.text).contains {
        $0.hasPrefix("1 suspected change was left without enough fresh pairs: plist")
      })
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
      var gate = Gate([key(): steady(0), key("read"): steady(0), key("control"): steady(0)])
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
    #expect(huge.test?.nextStep == .confirmation([cell(): 1_000_012]))
    let short = Gate([key(): steady(0.1)], plan: InterimPlan(screening: [5], confirmation: 5))
    #expect(short.rows[key()]?.verdict == .inconclusive(.blocks(have: 5, need: 6)))
  }
}
