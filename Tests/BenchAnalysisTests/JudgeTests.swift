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
    let floor = EffectFloor(noise: 0, layout: log(1.1))
    #expect(floor.flagged == log(1.1))
    #expect(
      floor.unchanged == Judge.smallestEffect, "a doubt of a change is no proof that there is none")
  }

  @Test("A change is flagged if test, interval and size agree, and otherwise unchanged or unknown")
  func rules() {
    func wide(_ change: Double) -> Verdict { .inconclusive(.wide(smallestChange: exp(change))) }
    #expect(verdict(0.1, 0.08, 0.12) == .regressed)
    #expect(verdict(-0.1, -0.12, -0.08) == .improved)
    // The adjusted probability must be below 0.05.
    #expect(verdict(0.1, 0.08, 0.12, p: 0.0499) == .regressed)
    #expect(verdict(0.1, 0.08, 0.12, p: 0.05).isInconclusive)
    // The interval must exclude 0.
    #expect(verdict(0.1, 0.001, 0.2) == .regressed)
    #expect(verdict(0.1, 0, 0.2) == wide(0.1))
    // The effect must exceed 2 %, and the noise that the blocks taught.
    #expect(verdict(log(1.021), 0.0201, 0.0215) == .regressed)
    #expect(verdict(log(1.019), 0.018, 0.0195) == .unchanged)
    #expect(verdict(0.1, 0.08, 0.12, noise: 0.09) == .regressed)
    #expect(verdict(0.1, 0.08, 0.12, noise: 0.11) == wide(0.11))
    // It must exceed what the control moved, however little that was.
    #expect(verdict(0.1, 0.08, 0.12, drift: Drift(change: 0.09, isReal: false)) == .regressed)
    #expect(verdict(0.1, 0.08, 0.12, drift: Drift(change: -0.11, isReal: false)).isInconclusive)
    let real = Drift(change: log(1.5), isReal: true)
    #expect(verdict(0.1, 0.08, 0.12, drift: real) == .inconclusive(.drift(1.5)))
    // Unchanged needs an interval within 2 %, however noisy the blocks are.
    #expect(verdict(0, -0.019, 0.019, p: 1) == .unchanged)
    #expect(verdict(0, -0.021, 0.019, p: 1).isInconclusive)
    #expect(verdict(0, -0.04, 0.04, p: 1, noise: 0.045).isInconclusive)
    #expect(verdict(0.015, 0.012, 0.018, noise: 0.045) == .unchanged)
    #expect(verdict(0, -0.06, 0.06, p: 1, noise: 0.2) == wide(0.2))
  }

  @Test("With more rows, each row needs stronger evidence")
  func holm() throws {
    let times = [100e6, 101e6, 102e6, 103e6, 104e6, 105e6]
    let (usual, other) = (blocks(times, phase: "a"), blocks(times, phase: "b"))
    let slower = blocks([200e6, 201e6, 202e6, 203e6, 204e6, 100.5e6], phase: "a")
    let alone = try #require(compare(run([slower]), run([usual]))[slower.key])
    #expect(alone.verdict == .regressed)
    #expect(alone.adjustedP.map { abs($0 - 38.0 / 924) < 1e-12 } == true)
    let rows = compare(run([slower, other]), run([usual, other]))
    #expect(rows[slower.key]?.adjustedP.map { abs($0 - 76.0 / 924) < 1e-12 } == true)
    #expect(rows[slower.key]?.verdict?.isInconclusive == true)
    #expect(rows[other.key]?.adjustedP == 1)
  }

  private func blocks(_ medians: [Double], phase: String) -> Series {
    Series(cell: cell(), phase: phase, metric: .wall, blocks: medians.map { [$0] })
  }

  private func verdict(
    _ estimate: Double, _ low: Double, _ high: Double, p: Double = 0.001, noise: Double = 0,
    drift: Drift? = nil
  ) -> Verdict {
    let evidence = LogRatio(
      estimate: estimate, interval: Interval(low: low, high: high), p: p, smallestP: 0,
      blocks: 12, driftLimit: noise, noise: noise)
    let floor = EffectFloor(noise: noise, drift: abs(drift?.change ?? 0))
    return Judge.inexact(evidence, metric: .wall, adjustedP: p, drift: drift, floor)
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
    #expect(abs(evidence.interval.high - evidence.interval.low) < 1e-12)
    #expect(evidence.noise == 0)
    #expect(evidence.p == 2.0 / 64)
  }

  @Test("Unpaired blocks get their noise from the spread within both runs")
  func unpaired() throws {
    let logs = [-0.2, -0.1, 0, 0.1, 0.2]
    let blocks = logs.map { exp($0) }
    let evidence = try #require(LogRatio(candidate: blocks, baseline: blocks))
    let expected = 1.96 * (Double.pi / 2).squareRoot() * 0.1 * 1.4826 * (2.0 / 5).squareRoot()
    #expect(abs(evidence.noise - expected) < 1e-12)
    #expect(evidence.estimate == 0)
    #expect(evidence.smallestP == 2.0 / 252)
  }

  @Test("Without blocks, or with a value without a logarithm, there is none")
  func none() {
    #expect(LogRatio(candidate: [], baseline: [1]) == nil)
    #expect(LogRatio(differences: []) == nil)
    #expect(LogRatio(candidate: [1], baseline: [-1]) == nil)
  }
}
