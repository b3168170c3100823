import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("The rules of verdicts")
struct JudgeTests {
  @Test(
    "The allowance for the order of the code grows for shorter times, and is 2 % from a millisecond"
  )
  func layout() {
    func percent(_ nanoseconds: Double?) -> Double {
      ((exp(EffectFloor.layout(of: nanoseconds)) - 1) * 1_000).rounded() / 10
    }
    #expect([5e9, 1e6, 6e4, 1e3, 460, 1].map(percent) == [2, 2, 4.5, 36.2, 68, 120])
    // One access to memory is a small part of a sample that repeats its work.
    #expect(
      ((exp(EffectFloor.layout(of: 1e3, repeated: 100)) - 1) * 1_000).rounded() == 115)
    #expect([nil, 0, -1].map(percent) == [0, 0, 0])
    // Between runs measured apart, the machine's state may move a time further.
    #expect(
      [1e6, 31_250, nil].map { EffectFloor.apart(of: $0) } == [1.15, 1.6, 1.15].map { log($0) })
    let floor = EffectFloor(layout: log(1.1))
    #expect(floor.flagged == log(1.1))
    #expect(
      floor.unchanged == Judge.smallestEffect, "a doubt of a change is no proof that there is none")
  }

  @Test("A change is flagged if test and size agree, and otherwise unchanged or unknown")
  func rules() {
    #expect(verdict(0.1, 0.08, 0.12) == .regressed)
    #expect(verdict(-0.1, -0.12, -0.08) == .improved)
    // The adjusted probability must be below 0.05.
    #expect(verdict(0.1, 0.08, 0.12, p: 0.0499) == .regressed)
    #expect(verdict(0.1, 0.08, 0.12, p: 0.05) == .inconclusive(.wide(upTo: exp(0.12))))
    // The effect must exceed 2 %.
    #expect(verdict(log(1.021), 0.0201, 0.0215) == .regressed)
    #expect(verdict(log(1.019), 0.018, 0.0195) == .unchanged)
    // Unchanged needs an interval within 2 %.
    #expect(verdict(0, -0.019, 0.019, p: 1) == .unchanged)
    #expect(verdict(0, -0.021, 0.019, p: 1) == .inconclusive(.wide(upTo: exp(0.019))))
    // Pairs that are alike must agree themselves.
    let spread = Interval(low: 0.01, high: 0.2)
    #expect(verdict(0.1, 0.08, 0.12, middle: spread) == .inconclusive(.wide(upTo: exp(0.2))))
    #expect(verdict(0.1, 0.08, 0.12, middle: Interval(low: 0.03, high: 0.2)) == .regressed)
    #expect(verdict(0, -0.01, 0.01, p: 1, middle: spread)?.isInconclusive == true)
  }

  @Test("Three blocks a side tell a doubling, and each judged row costs some of the level")
  func holm() throws {
    let (usual, other) = (blocks([100, 103, 106], "a"), blocks([100, 103, 106], "b"))
    let slower = blocks([200, 206, 212], "a")
    let alone = try #require(compare(run([slower]), run([usual]))[slower.key])
    #expect(alone.verdict == .regressed)
    #expect(alone.ratio.map { abs($0 - 2) < 1e-9 } == true)
    let rows = compare(run([slower, other]), run([usual, other]))
    let (p, adjusted) = (try #require(alone.adjustedP), try #require(rows[slower.key]?.adjustedP))
    #expect(p < 1e-4 && adjusted == 2 * p)
    #expect(rows[other.key]?.adjustedP == 1)
  }

  private func blocks(_ medians: [Double], _ phase: String) -> Series {
    Series(cell: cell(), phase: phase, metric: .wall, blocks: medians.map { [$0 * 1e6] })
  }

  private func verdict(
    _ estimate: Double, _ low: Double, _ high: Double, p: Double = 0.001, middle: Interval? = nil
  ) -> Verdict? {
    var evidence = LogRatio(differences: Array(repeating: estimate, count: 12))
    evidence?.interval = Interval(low: low, high: high)
    evidence?.p = p
    evidence?.middle = middle
    return evidence.map { Judge.inexact($0, metric: .wall, adjustedP: p, EffectFloor()) }
  }
}

@Suite("The evidence of blocks")
struct LogRatioTests {
  @Test("Pairs are compared one by one, so that common effects cancel")
  func paired() throws {
    func series(_ values: [Double]) -> Series {
      Series(cell: cell(), phase: "a", metric: .wall, blocks: values.map { [$0] })
    }
    let mood = [1.0, 9, 3, 5, 2, 7]
    let differences = PairedRow.differences(series(mood.map { $0 * 2 }), series(mood))
    let evidence = try #require(LogRatio(differences: differences.compactMap(\.self)))
    #expect(abs(evidence.estimate - log(2)) < 1e-12)
    #expect(evidence.interval.map { $0.width < 1e-12 } == true)
    #expect(evidence.p == 2.0 / 64)
  }

  @Test("Runs measured apart are compared by Welch's test on the logarithms of their blocks")
  func unpaired() throws {
    let logs = [-0.2, -0.1, 0, 0.1, 0.2]
    let evidence = try #require(
      LogRatio(candidate: logs.map { exp($0 + 0.5) }, baseline: logs.map { exp($0) }))
    #expect(abs(evidence.estimate - 0.5) < 1e-12)
    // A standard error of 0.1 with eight degrees of freedom.
    #expect(evidence.interval.map { abs($0.width / 2 - 0.2306) < 1e-4 } == true)
    #expect(abs(evidence.p - 0.00105) < 1e-5)
    let wider = LogRatio(
      candidate: logs.map { exp($0 + 0.5) }, baseline: logs.map { exp($0) }, apart: 0.14)
    #expect(wider?.interval.map { abs($0.low - 0.1294) < 1e-4 } == true)
    let two = try #require(LogRatio(candidate: [1, 2], baseline: [1, 2, 3]))
    #expect(two.interval == nil && two.p == 1)
  }

  @Test("Without blocks, or with a value without a logarithm, there is none")
  func none() {
    #expect(LogRatio(candidate: [], baseline: [1]) == nil)
    #expect(LogRatio(differences: []) == nil)
    #expect(LogRatio(candidate: [1], baseline: [-1]) == nil)
  }
}
