import BenchAnalysis
import BenchHarness
import BenchResults
import Foundation
import MenuModel

/// The gate's own proof: records blocks of one program against itself and sees what the gate makes of
/// them.
struct SelfTest<App: BenchApp>: Sendable {
  var setup: SelfTestSetup<App>
  var amounts: SelfTestAmounts

  /// The slowdowns that are injected, as parts of the phase's own time.
  static var slowdowns: [Double] { [0.02, 0.05, 0.1] }

  /// Measures everything.
  ///
  /// - Throws: `CancellationError`, or a ``CLIError`` where something could not be measured.
  func findings() async throws -> SelfTestFindings {
    Console.note("recording \(amounts.pairs) pairs of blocks of each cell")
    let recorded = try await setup.record(pairs: amounts.pairs)
    var findings = SelfTestFindings(
      machine: recorded.candidate.machine, setup: setup.words)
    findings.spread = BlockSpread.all(recorded)
    let pool = try pool(recorded)
    Console.note("replaying \(amounts.suites) gates")
    findings.falseAlarms = replay(pool, injected: nil, expected: [])
    for target in setup.targets {
      for slowdown in Self.slowdowns {
        findings.slowdowns.append(try await detected(slowdown, of: target, pool))
      }
    }
    findings.exact = try await ExactSelfTest(setup: setup, blocks: amounts.counted).findings()
    for number in 0..<amounts.gates {
      Console.note("gate \(number + 1) of \(amounts.gates)")
      findings.gates.append(try await setup.wholeGate())
    }
    return findings
  }

  private func pool(_ records: Sides<RunRecord>) throws -> ReplayPool {
    guard let pool = ReplayPool(candidate: records.candidate, baseline: records.baseline) else {
      throw CLIError("no whole pair of blocks was recorded", status: .unmeasured)
    }
    return pool
  }

  private func detected(
    _ slowdown: Double, of target: SelfTestTarget, _ quiet: ReplayPool
  ) async throws -> SelfTestFindings.Slowdown {
    Console.note("recording with \(target.injection(.slowdown(slowdown)))")
    let records = try await setup.record(pairs: amounts.pairs, target, .slowdown(slowdown))
    let key = target.key(.wall)
    return SelfTestFindings.Slowdown(
      target: target.words, injected: slowdown,
      deviation: BlockSpread.all(records).first { $0.key == key }?.deviation,
      replayed: replay(quiet, injected: try pool(records), expected: [key]))
  }

  private func replay(
    _ pool: ReplayPool, injected: ReplayPool?, expected: Set<Series.Key>
  ) -> SelfTestFindings.Replayed {
    let replay = Replay(pool: pool, injected: injected, changed: expected)
    let start = ContinuousClock.now
    var tally = ReplayTally(expected: expected)
    for number in 0..<amounts.suites { tally.add(replay.suite(seed: setup.seed &+ UInt64(number))) }
    return SelfTestFindings.Replayed(
      tally: tally,
      secondsPerVerdict: start.duration(to: .now) / .seconds(1) / Double(amounts.suites))
  }
}
