import Basics
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

/// A block's median does not show turns with a common speed, tails and memory.
@Suite("A gate notices more than the medians of its blocks")
struct GateTailTests {
  /// Both sides at one of two speeds, which changes every few turns and not for both at the same one.
  private static func moody(_ change: Double) -> Gate {
    var noise = Noise(seed: 3, deviation: 0.004)
    var dice = SplitMix64(seed: 4)
    let blocks = (0..<12).map { _ -> (new: [Double], old: [Double]) in
      let start = dice.below(9)
      let speeds = (0..<9).map { $0 < start ? 54e6 : 86e6 }
      return (
        speeds.map { $0 * exp(change + noise.next()) }, speeds.map { $0 * exp(noise.next()) }
      )
    }
    return gate(blocks.map(\.new), blocks.map(\.old))
  }

  private static func gate(_ new: [[Double]], _ old: [[Double]], _ metric: Metric = .wall) -> Gate {
    func series(_ blocks: [[Double]], _ metric: Metric) -> Series {
      Series(cell: cell(), phase: "write", metric: metric, blocks: blocks)
    }
    func means(_ blocks: [[Double]]) -> [[Double]] {
      blocks.map { [$0.reduce(0, +) / Double($0.count)] }
    }
    return Gate(
      candidate: run([series(new, metric), series(means(new), .meanWall)]),
      baseline: run([series(old, metric), series(means(old), .meanWall)]), plan: .brief)
  }

  @Test("The change of a pair is that of its turns, whatever the machine's speed in each turn")
  func turns() {
    let rows = Self.moody(0.03).test?.screening.cells.first?.rows ?? []
    let differences = rows.first { $0.metric == .wall }?.differences.compactMap(\.self) ?? []
    #expect(differences.count == 12)
    #expect(differences.allSatisfy { abs($0 - 0.03) < 0.01 })
    #expect(Self.moody(0).rows[key("write")]?.verdict == .unchanged)
  }

  @Test("If one side has more samples, those of one moment are one turn")
  func uneven() {
    let (twice, once) = ([1.0, 1, 2, 2, 3, 3].map { $0 * 1.1 }, [1.0, 2, 3])
    let ratios = PairedRow.turns(twice, once) ?? []
    #expect(ratios.count == 3 && ratios.allSatisfy { abs($0 - log(1.1)) < 1e-12 })
    let turned = PairedRow.turns(once, twice) ?? []
    #expect(turned.count == 3 && turned.allSatisfy { abs($0 + log(1.1)) < 1e-12 })
    #expect(PairedRow.turns([1, 0], [1, 1]) == nil)
  }

  /// One write in ten takes five times as long, in a place drawn for each block.
  private static func stalling(_ turns: Int) -> Gate {
    var noise = Noise(seed: 5, deviation: 0.004)
    var dice = SplitMix64(seed: 6)
    let old = (0..<turns).map { _ in (0..<10).map { _ in 1e6 * exp(noise.next()) } }
    let new = (0..<turns).map { _ -> [Double] in
      let stall = dice.below(10)
      return (0..<10).map { 1e6 * exp(noise.next()) * ($0 == stall ? 5 : 1) }
    }
    return gate(new, old)
  }

  @Test("The mean shows that one write in ten stalls, although the median is unchanged")
  func tail() {
    let rows = Self.stalling(24).rows
    #expect(rows[key("write")]?.verdict == .unchanged)
    let mean = rows[Series.Key(cell: cell(), phase: "write", metric: "wall_mean")]
    #expect(mean?.verdict == .regressed)
    #expect(mean.flatMap(\.ratio).map { abs($0 - 1.4) < 0.01 } == true)
  }

  @Test("A mean that may have moved asks for more pairs, and one that is only noisy does not")
  func morePairs() throws {
    let stalling = try #require(Self.stalling(12).test)
    #expect(stalling.nextStep == .confirmation([cell(): 24]))
    // Noise of the mean alone, as a hiccup now and then makes it.
    var noise = Noise(seed: 7, deviation: 0.1)
    let old = (0..<12).map { _ in [1e6, 1e6, 1e6] }
    var gate = Self.gate(old, old)
    gate.candidate.cells[1].blocks = old.map { _ in [1e6 * exp(noise.next())] }
    let test = try #require(gate.test)
    #expect(test.nextStep == .done)
    let mean = test.rows()[gate.candidate.cells[1].key]
    #expect(mean != nil && mean?.verdict == nil, "a second look that nobody paid for is no doubt")
    let texts = gate.report.conclusions.map(\.text)
    #expect(
      texts.contains {
        $0.hasPrefix("no verdict on 1 row, means that seem unchanged: ")
      })
    // If it is the only metric of the phase, it is judged like any time.
    gate.candidate.cells.remove(at: 0)
    gate.baseline.cells.remove(at: 0)
    #expect(gate.rows.values.map { $0.verdict?.isInconclusive } == [true])
  }

  @Test(
    "Later interim analyses share a fifth of the level, and cost the first ones little of theirs")
  func families() throws {
    let test = try #require(Self.gate([[1, 2, 3]], [[1, 2, 3]]).test)
    let rows = test.screening.cells[0].rows
    // One row of each family, three looks.
    #expect(rows.map(\.isSecondary) == [false, true])
    #expect(rows.map { test.screening.tests(of: $0) } == [3.75, 15])
    let alone = try #require(Gate([key(): steady(0)]).test)
    #expect(alone.screening.tests(of: alone.screening.cells[0].rows[0]) == 3)
  }

  @Test("A run whose blocks do not alternate lacks no mean of a gate's baseline")
  func meansOfGates() {
    let old = run([exact(7), Series(cell: cell(), phase: "read", metric: .meanWall, blocks: [[5]])])
    #expect(Comparison(candidate: run([exact(7)]), baseline: old).missing == [])
  }

  @Test("If a time is undecided and its instructions changed, the line points to the instructions")
  func pointer() throws {
    let wide = Gate([key(): steady(0, spread: 0.4, turns: 12)])
    func pointer(_ now: Double, in cell: Cell) throws -> String? {
      func counted(_ value: Double) -> Series {
        Series(cell: cell, phase: "encode", metric: .instructions, blocks: [[value], [value]])
      }
      var gate = wide
      gate.candidate.cells.append(counted(now))
      gate.baseline.cells.append(counted(100_000))
      for side in [\Gate.candidate, \Gate.baseline] where cell.menu == "small" {
        gate[keyPath: side].menus.append(
          MenuInfo(name: "small", source: "shape", fingerprint: "aa", counts: []))
      }
      let report = gate.report
      let row = try #require(report.inconclusive.first)
      return report.pointer(from: row)
    }
    var small = cell()
    small.menu = "small"
    #expect(
      try pointer(102_100, in: cell()) == "time undecided: look at instructions, +2.1 %")
    #expect(
      try pointer(102_100, in: small)
        == "time undecided: look at instructions, +2.1 % on small")
    #expect(try pointer(100_000, in: cell()) == nil)
  }

  @Test("Memory and faults have a tolerance of a tenth, and only on the same machine")
  func memory() {
    func verdict(_ now: Double, _ metric: Metric = .peakRSSBytes, cpu: String = "EPYC") -> Verdict?
    {
      let new = run([exact(now, metric)])
      return compare(new, run([exact(100e6, metric)], machine: machine(cpu: cpu)))[
        exact(1, metric).key]?.verdict
    }
    #expect(verdict(130e6) == .regressed)
    #expect(verdict(109e6) == .unchanged)
    #expect(verdict(80e6) == .improved)
    #expect(verdict(130e6, .pageFaults) == .regressed)
    #expect(verdict(130e6, cpu: "Xeon") == nil)
  }

  @Test("A time that one side could not measure is missing, and one that both could not is a hint")
  func refused() {
    func gate(_ sides: [WritableKeyPath<Gate, RunRecord>]) -> Gate {
      var gate = Gate([key(): steady(0, turns: 12), key("read"): steady(0, turns: 12)])
      for side in sides {
        for index in gate[keyPath: side].cells.indices
        where gate[keyPath: side].cells[index].phase == "read" {
          gate[keyPath: side].cells[index].blocks = []
          gate[keyPath: side].cells[index].unsupported = "too much stayed cached"
        }
      }
      return gate
    }
    for side in [\Gate.candidate, \Gate.baseline] {
      var report = gate([side]).report
      #expect(report.missing.map(\.phase) == ["read"])
      #expect(report.outcome().id == "missing")
      report.rule = .comparison(allowsMissing: true)
      #expect(report.outcome().id == "passed")
    }
    let neither = gate([\Gate.candidate, \Gate.baseline]).report
    #expect(neither.missing.isEmpty)
  }

  @Test("The degree of coldness of a start is not a time, and is not judged")
  func circumstance() {
    var gate = Gate([key(): steady(0, turns: 12)])
    for (side, share) in [(\Gate.candidate, 2.0), (\Gate.baseline, 1.0)] {
      gate[keyPath: side].cells.append(
        Series(
          cell: cell(), phase: "cold", metric: .residentShare,
          blocks: Array(repeating: [share], count: 12)))
    }
    let row = Series.Key(cell: cell(), phase: "cold", metric: "resident_share")
    #expect(gate.report.rows.first { $0.series.key == row }?.verdict == nil)
  }

  @Test("Rows without a verdict are listed with the reason")
  func notJudged() {
    var gate = Gate([key(): steady(0, turns: 12)], others: [exact(7, .touchedBytes)])
    for side in [\Gate.candidate, \Gate.baseline] {
      gate[keyPath: side].machine.emptySample = 60
      gate[keyPath: side].cells.append(
        Series(
          cell: cell(), phase: "read", metric: .wall,
          blocks: Array(repeating: [100], count: 12)))
    }
    let texts = gate.report.conclusions.filter { $0.severity == .hint }.map(\.text)
    #expect(texts.contains("no verdict on 1 row, too short for the clock: json/large read wall"))
    #expect(
      texts.contains(
        "no verdict on 1 row, figures that vary, with too few blocks for a test: json/large encode"
          + " touched_bytes"))
  }
}

@Suite("The forecast of a gate")
struct DetectableChangeTests {
  /// Rows of one noise each.
  private func test(_ deviations: [Double], turns: Int = 12) -> SequentialTest {
    let rows = deviations.enumerated().map { index, deviation in
      var noise = Noise(seed: UInt64(index + 1), deviation: deviation)
      return PairedRow(
        key: key("phase\(index)"), metric: .wall,
        differences: (0..<turns).map { _ in noise.next() })
    }
    let cell = PairedCell(cell: cell(), rows: rows, control: nil, turns: turns)
    return SequentialTest([cell], plan: InterimPlan())
  }

  @Test("is never less than 2 %, and falls with the square root of the pairs")
  func shrinks() throws {
    let quiet = test([0.0001, 0.0001]).foreseen(from: 12)
    #expect(quiet.map(\.pairs) == [12], "more are not measured")
    // A change of exactly the necessary size is below the limit as often as above.
    #expect(quiet.allSatisfy { (1.02..<1.0202).contains($0.half) && $0.half > 1.02 })
    let noisy = test([0.04]).foreseen(from: 12)
    let (first, last) = (try #require(noisy.first), try #require(noisy.last))
    let shrunk = log(last.half) / log(first.half)
    // Student's t shrinks as well, and what the fresh pairs can confirm is the same after either.
    #expect(shrunk < 0.85 && shrunk > 0.45, "\(noisy)")
  }

  @Test("is that of the first pairs if the row is too noisy for more pairs to settle it")
  func hopeless() throws {
    let sights = test([0.3]).foreseen(from: 12)
    #expect(sights.map(\.pairs) == [12])
  }

  @Test("names the least sensitive row")
  func leastSensitive() throws {
    let sight = try #require(test([0.001, 0.001, 0.001, 0.2]).foreseen(from: 12).last)
    #expect(sight.leastSensitive == key("phase3"))
    #expect(sight.least > 1.1 && sight.most < sight.least && sight.half <= sight.most)
  }

  @Test("omits analyses that can flag nothing, and does not exist before the first one")
  func impossible() {
    let rows = 40
    #expect(
      test(Array(repeating: 0.02, count: rows)).foreseen(from: 12).map(\.pairs) == [20, 32])
    #expect(test([0.01], turns: 0).seen == nil)
    #expect(test([0.01], turns: 0).foreseen(from: 12).isEmpty)
  }

  @Test(
    "comes true: four in five foreseen changes are found and confirmed without a later analysis",
    arguments: [(deviation: 0.02, look: 0), (deviation: 0.05, look: 2)])
  func comesTrue(_ gates: (deviation: Double, look: Int)) throws {
    let (count, seed) = (150, UInt64(70_000_000))
    let found = try (0..<count).count { number in
      // The same pairs twice: once as they are, to foresee, and once moved by what was foreseen.
      let noise = Noise(seed: seed + UInt64(number), deviation: gates.deviation)
      var (still, moving) = (noise, noise)
      let sights = SequentialTest(noisyCells(1, &still), plan: InterimPlan()).foreseen(from: 12)
      // The first analysis settles what no further pairs would settle.
      let sight = try #require(sights.prefix(gates.look + 1).last)
      let test = SequentialTest(
        noisyCells(1, moved: log(sight.half), &moving), plan: InterimPlan(ended: sight.pairs))
      return test.rows()[test.screening.cells[0].rows[3].key]?.verdict == .regressed
    }
    print(
      "foreseen at a deviation of \(gates.deviation): \(found) of \(count) found, seeds from \(seed)"
    )
    #expect(found >= count * 4 / 5)
  }
}
