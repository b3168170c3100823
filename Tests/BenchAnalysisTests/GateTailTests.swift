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
    return Gate(
      candidate: run([series(new, metric)]), baseline: run([series(old, metric)]), plan: .brief)
  }

  @Test("The change of a pair is that of its turns, whatever the machine's speed in each turn")
  func turns() {
    let rows = Self.moody(0.03).test?.cells.first?.rows ?? []
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
    // One sample of three differs from pair to pair, so that the mean is noisy and the median is not.
    var noise = Noise(seed: 7, deviation: 0.3)
    let old = (0..<12).map { _ in [1e6, 1e6, 1e6] }
    let gate = Self.gate(old.map { [$0[0], $0[1], 1e6 * exp(noise.next())] }, old)
    let test = try #require(gate.test)
    #expect(test.nextStep == .done)
    let mean = test.rows()[key("write").of(metric: "wall_mean")]
    #expect(mean?.ratio != nil && mean?.verdict == nil, "a second look is no doubt")
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
