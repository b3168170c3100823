import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation

/// How much of everything replays take.
struct ReplayAmounts: ParsableArguments {
  @Option(parsing: .unconditional, help: "Gates that are replayed from recorded blocks.")
  var suites = 1_000

  @Option(parsing: .unconditional, help: "Pairs of blocks that are recorded of each cell.")
  var pairs = 44

  @Option(
    parsing: .unconditional, help: "Blocks of counters a side; every two of them are compared.")
  var counted = 23

  /// Refuses what makes no sense.
  ///
  /// - Throws: a ``CLIError`` that names the value and what is valid.
  func check() throws {
    try refuse("--suites", suites, outside: 1...1_000_000)
    try refuse("--pairs", pairs, outside: 1...10_000)
    try refuse("--counted", counted, outside: 1...1_000)
  }
}

/// Replays of gates: records blocks of one program against itself and sees what the gate makes of them, drawn
/// anew a thousand times.
struct GateReplays<App: BenchApp>: Sendable {
  var setup: SelfTestSetup<App>
  var amounts: ReplayAmounts

  /// The slowdowns that are injected, as parts of the phase's own time.
  static var slowdowns: [Double] { [0.02, Self.scheduled, 0.1] }

  /// That one of them by which plans of looks are tried.
  static var scheduled: Double { 0.05 }

  /// Measures everything.
  ///
  /// - Throws: `CancellationError`, or a ``CLIError`` where something could not be measured.
  func findings() async throws -> ReplayFindings {
    Console.note("recording \(amounts.pairs) pairs of blocks of each cell")
    let recorded = try await setup.record(pairs: amounts.pairs)
    var findings = ReplayFindings(
      machine: recorded.candidate.machine,
      setup: "\(setup.words), \(amounts.pairs) pairs of blocks a cell")
    findings.estimators = EstimatorTrial.all(
      candidate: recorded.candidate, baseline: recorded.baseline)
    let pool = try pool(recorded)
    Console.note("replaying \(amounts.suites) gates")
    findings.falseAlarms = replay(pool, injected: nil, expected: [])
    var slowed: [(pool: ReplayPool, row: Series.Key)] = []
    for target in setup.replayed {
      for slowdown in Self.slowdowns {
        let (found, injected) = try await detected(slowdown, of: target, pool)
        findings.slowdowns.append(found)
        if slowdown == Self.scheduled { slowed.append((injected, target.key(.wall))) }
      }
    }
    Console.note("replaying gates that look at other numbers of pairs")
    findings.scheduled = Self.scheduled
    findings.schedules = ScheduleTrial.looks.map { looks in
      ScheduleTrial(
        looks: looks, pool: pool, slowed: slowed,
        secondsPerPair: recorded.candidate.secondsPerPair, suites: max(1, amounts.suites / 5),
        seed: setup.seed)
    }
    findings.exact = try await ExactSelfTest(setup: setup, blocks: amounts.counted).findings()
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
  ) async throws -> (found: ReplayFindings.Slowdown, injected: ReplayPool) {
    Console.note("recording with \(target.injection(.slowdown(slowdown)))")
    let records = try await setup.record(pairs: amounts.pairs, target, .slowdown(slowdown))
    let key = target.key(.wall)
    let injected = try pool(records)
    let found = ReplayFindings.Slowdown(
      target: target.words, injected: slowdown,
      error: EstimatorTrial.all(candidate: records.candidate, baseline: records.baseline)
        .first { $0.key == key }?.errors[.turns],
      replayed: replay(quiet, injected: injected, expected: [key]))
    return (found, injected)
  }

  private func replay(
    _ pool: ReplayPool, injected: ReplayPool?, expected: Set<Series.Key>
  ) -> ReplayFindings.Replayed {
    let start = ContinuousClock.now
    let tally = Replay(pool: pool, injected: injected, changed: expected)
      .tally(of: amounts.suites, seed: setup.seed)
    return ReplayFindings.Replayed(
      tally: tally,
      secondsPerVerdict: start.duration(to: .now) / .seconds(1) / Double(amounts.suites))
  }
}
