import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// `bench selftest`: what the gate's verdicts are worth on this machine.
struct SelfTestCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "selftest",
      abstract: "Measures how often the gate cries wolf here, and what it overlooks.",
      usage: "bench selftest [<options>]",
      discussion: """
        Records blocks of this program against itself, replays them in a thousand gates, injects
        costs and counts how many are found. Takes about twenty minutes with its defaults.
        """)
  }

  @Option(help: "Backends, or all: see bench list backends.")
  var backend = "json,plist,sqlite,memory"

  @Option(help: "The menu: a preset, a shape by hand, or a file.")
  var menu = "large"

  @Option(
    help: ArgumentHelp(
      "Backends and phases that are slowed down; into the first, other costs go too. "
        + "(default: those of json/decode,sqlite/read that are measured)"))
  var target: String?

  @OptionGroup var amounts: SelfTestAmounts

  @Option(help: "The page that is written.")
  var out = "Reports/gate-selftest.md"

  @Option(help: "The folder in which stores are made and removed.")
  var storage = KeptRuns().folder

  @Option(parsing: .unconditional, help: "The seed of everything that is drawn.")
  var seed: UInt64 = 1

  @Flag(help: "Measure a debug build all the same; its times say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    try Build.refuseDebug(unless: allowDebug)
    try amounts.check()
    let setup = try SelfTestSetup<App>(
      backend: backend, menu: menu, target: target, storage: storage, seed: seed)
    let interruption = Interruption()
    do {
      let findings = try await interruption.cancelling { [amounts] in
        try await SelfTest(setup: setup, amounts: amounts).findings()
      }
      let page = SelfTestPage(findings: findings, command: typed).markdown
      try Console.output(page)
      try SafeFile.replace(out, with: Data(page.utf8))
      Console.note("written to \(out)")
    } catch is CancellationError {
      interruption.reraise()
      throw CLIError("the self-test was interrupted", status: .failed)
    }
  }

  private var typed: String {
    "bench " + CommandLine.arguments.dropFirst().joined(separator: " ")
  }
}

/// How much of everything a self-test takes.
struct SelfTestAmounts: ParsableArguments {
  @Option(parsing: .unconditional, help: "Gates that are replayed from recorded blocks.")
  var suites = 1_000

  @Option(parsing: .unconditional, help: "Pairs of blocks that are recorded of each cell.")
  var pairs = 44

  @Option(parsing: .unconditional, help: "Whole gates of this program against itself.")
  var gates = 5

  @Option(
    parsing: .unconditional, help: "Blocks of counters a side; every two of them are compared.")
  var counted = 23

  /// Refuses what makes no sense.
  ///
  /// - Throws: a ``CLIError`` that names the value and what is valid.
  func check() throws {
    try refuse("--suites", suites, outside: 1...1_000_000)
    try refuse("--pairs", pairs, outside: 1...10_000)
    try refuse("--gates", gates, outside: 0...1_000)
    try refuse("--counted", counted, outside: 1...1_000)
  }
}

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
    findings.estimators = EstimatorTrial.all(
      candidate: recorded.candidate, baseline: recorded.baseline)
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
      error: EstimatorTrial.all(candidate: records.candidate, baseline: records.baseline)
        .first { $0.key == key }?.errors[.turns],
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

/// What a self-test measures: this program on both sides of a gate.
struct SelfTestSetup<App: BenchApp>: Sendable {
  private let gate: GateSetup<App>
  /// The cells and phases that costs are injected into, at least one.
  let targets: [SelfTestTarget]
  /// The seed of what is drawn.
  let seed: UInt64

  /// Finds what was typed in the suite.
  ///
  /// - Throws: a ``CLIError`` for an unknown name.
  init(
    backend: String, menu: String, target: String?, storage: String, seed: UInt64
  ) throws {
    let chosen = try Selection(backend: backend, menu: menu).resolve(in: App.suite)
    gate = GateSetup(
      chosen: chosen, takesAllBackends: false, limits: try GateLimits.parse([]), tier: .all,
      tolerances: Tolerances(), injection: nil, output: OutputOptions(out: storage),
      seed: seed)
    let backends = Set(chosen.cells.map(\.cell.backend))
    let usual = ["json/decode", "sqlite/read"].filter {
      backends.contains($0.prefix { $0 != "/" }.description)
    }
    let typed = target ?? usual.joined(separator: ",")
    targets = try typed.split(separator: ",", omittingEmptySubsequences: false).map {
      try SelfTestTarget(String($0), among: chosen.cells, in: App.suite)
    }
    self.seed = seed
  }

  /// What is measured, in words.
  var words: String {
    let backends = gate.chosen.cells.map(\.cell.backend).joined(separator: ", ")
    let cell = targets[0].planned.cell
    return "\(backends) on \(cell.menu), \(cell.workload) at durability \(cell.durability)"
  }

  /// Pairs of timed blocks, of every cell or of a target with a cost alone.
  func record(
    pairs: Int, _ target: SelfTestTarget? = nil, _ cost: Injection.Cost? = nil
  ) async throws -> Sides<RunRecord> {
    try await measure(target, cost) { gate in
      gate.plan.metrics = gate.metrics.times
      gate.plan.traced = []
      gate.plan.budgetSeconds = nil
      gate.nextPairs = { records in
        Dictionary(records.candidate.outcomes.map { ($0.cell, pairs) }) { first, _ in first }
      }
    }
  }

  /// Blocks of counters, of every cell or of a target with a cost alone.
  func count(
    blocks: Int, _ target: SelfTestTarget? = nil, _ cost: Injection.Cost? = nil
  ) async throws -> Sides<RunRecord> {
    try await measure(target, cost) { gate in
      gate.plan.metrics = gate.metrics.counters
      gate.plan.traced = []
      gate.plan.countedBlocks = blocks
    }
  }

  /// Blocks that count instructions, of a target's backend alone.
  func trace(
    blocks: Int, _ target: SelfTestTarget, _ cost: Injection.Cost? = nil
  ) async throws -> Sides<RunRecord> {
    let backend = target.planned.cell.backend
    return try await measure(target, cost) { gate in
      gate.plan.metrics = [Metric.instructions.id]
      gate.plan.cells = gate.metrics.tracesInstructions ? [] : [target.planned]
      gate.plan.traced = gate.plan.traced?.filter { $0.cell.backend == backend }
      (gate.plan.countedBlocks, gate.plan.instructionBlocks) = (blocks, blocks)
    }
  }

  /// A whole gate of this program against itself.
  func wholeGate() async throws -> SelfTestFindings.RealGate {
    let start = ContinuousClock.now
    let records = try await measure(nil, nil) { _ in }
    let report = Report(record: records.candidate, baseline: records.baseline)
    return SelfTestFindings.RealGate(
      seconds: start.duration(to: .now) / .seconds(1), verdicts: report.rows.compactMap(\.verdict))
  }

  private func measure(
    _ target: SelfTestTarget?, _ cost: Injection.Cost?, _ change: (inout PairedGate) -> Void
  ) async throws -> Sides<RunRecord> {
    let storage = try ScratchFolder(
      in: gate.output.out ?? KeptRuns().folder, durabilities: gate.chosen.durabilities)
    defer { storage.remove() }
    let own = await GateProgram.own()
    var paired = try await PairedGate(gate, own, own, in: storage)
    change(&paired)
    if let target, let cost {
      paired.plan.cells = paired.plan.cells.filter { $0 == target.planned }
      paired.plan.injection = target.injection(cost)
    }
    let records = try await paired.measure()
    try Task.checkCancellation()
    if let failure = (records.candidate.failures + records.baseline.failures).first {
      throw CLIError(
        "\(failure.cell) could not be measured: \(failure.reason)", status: .unmeasured)
    }
    return records
  }
}

/// A cell and a phase that costs are injected into.
struct SelfTestTarget: Sendable {
  /// The cell.
  let planned: PlannedCell
  /// The phase's id.
  let phase: String

  /// Finds what was typed, as `json/decode`.
  ///
  /// - Throws: a ``CLIError`` for an unknown name.
  init<Document: BenchDocument>(
    _ typed: String, among cells: [PlannedCell], in suite: Suite<Document>
  ) throws {
    let parts = typed.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, let cell = cells.first(where: { $0.cell.backend == parts[0] }) else {
      throw CLIError(
        "--target \(typed) is no backend and phase of this self-test",
        help: "backends: \(cells.map(\.cell.backend).joined(separator: ", "))", status: .usage)
    }
    let phases = (try? suite.workload(cell.cell.workload))?.phases.map(\.id) ?? []
    (planned, phase) = (cell, try ValidNames(kind: "phase", ids: phases).one(parts[1]))
  }

  /// A cost added to it.
  func injection(_ cost: Injection.Cost) -> Injection {
    Injection(backend: planned.cell.backend, phase: phase, cost: cost)
  }

  /// Its row of a metric.
  func key(_ metric: Metric) -> Series.Key {
    Series.Key(cell: planned.cell, phase: phase, metric: metric.id)
  }

  /// The cell and the phase, in words.
  var words: String { "\(planned.cell) \(phase)" }
}
