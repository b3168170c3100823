import ArgumentParser
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import Foundation

/// What a self-test measures: one source on both sides of a gate.
struct SelfTestSetup<App: BenchApp>: Sendable {
  let gate: GateSetup<App>
  /// The cells and phases that costs are injected into, at least one.
  let targets: [SelfTestTarget]
  /// The seed of what is drawn.
  let seed: UInt64
  private let selection: @Sendable (_ durability: String) throws -> Selection.Chosen<App.Document>

  /// Finds what was typed in the suite.
  ///
  /// - Throws: a ``CLIError`` for an unknown name.
  init(
    backend: String, menu: String, target: String?, storage: String, seed: UInt64
  ) throws {
    selection = { durability in
      try Selection(backend: backend, menu: menu, durability: durability).resolve(in: App.suite)
    }
    let chosen = try Selection(backend: backend, menu: menu).resolve(in: App.suite)
    gate = GateSetup(
      chosen: chosen, limits: try GateLimits.parse([]), tier: .all,
      tolerances: Tolerances(), injection: nil, output: OutputOptions(out: storage),
      seed: seed)
    let backends = Set(chosen.cells.map(\.cell.backend))
    let usual = ["json/decode", "sqlite/read", "sqlite/write@durable"].filter {
      backends.contains($0.prefix { $0 != "/" }.description)
    }
    let typed = target ?? usual.joined(separator: ",")
    targets = try typed.split(separator: ",", omittingEmptySubsequences: false).map {
      try SelfTestTarget(String($0), among: chosen.cells, in: App.suite)
    }
    self.seed = seed
  }

  /// The targets among the cells that replays record.
  var replayed: [SelfTestTarget] { targets.filter { gate.chosen.cells.contains($0.planned) } }

  /// What is measured, in words.
  var words: String {
    let backends = gate.chosen.cells.map(\.cell.backend).joined(separator: ", ")
    let cell = gate.chosen.cells[0].cell
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
        Runner.NextLook(
          Dictionary(records.candidate.outcomes.map { ($0.cell, pairs) }) { first, _ in first })
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

  /// A whole gate between two programs, a target of the candidate slowed down by a part of its time.
  func wholeGate(
    between programs: Sides<GateProgram>, seed: UInt64, _ planted: (SelfTestTarget, Double)?
  ) async throws -> Report {
    var gate = gate
    gate.seed = seed
    if let (target, share) = planted {
      gate.chosen = try selection(target.planned.cell.durability)
      gate.injection = target.injection(.slowdown(share))
    }
    let records = try await measured(gate, programs) { _ in }
    return Report(record: records.candidate, baseline: records.baseline)
  }

  private func measure(
    _ target: SelfTestTarget?, _ cost: Injection.Cost?,
    _ change: @escaping (inout PairedGate) -> Void
  ) async throws -> Sides<RunRecord> {
    let own = await GateProgram.own()
    let records = try await measured(gate, Sides(baseline: own, candidate: own)) { paired in
      change(&paired)
      if let target, let cost {
        paired.plan.cells = paired.plan.cells.filter { $0 == target.planned }
        paired.plan.injection = target.injection(cost)
      }
    }
    if let failure = (records.candidate.failures + records.baseline.failures).first {
      throw CLIError(
        "\(failure.cell) could not be measured: \(failure.reason)", status: .unmeasured)
    }
    return records
  }

  private func measured(
    _ gate: GateSetup<App>, _ programs: Sides<GateProgram>, _ change: (inout PairedGate) -> Void
  ) async throws -> Sides<RunRecord> {
    let storage = try ScratchFolder(
      in: gate.output.out ?? KeptRuns().folder, durabilities: gate.chosen.durabilities)
    defer { storage.remove() }
    var paired = try await PairedGate(gate, programs.baseline, programs.candidate, in: storage)
    change(&paired)
    let records = try await paired.measure()
    try Task.checkCancellation()
    return records
  }
}

/// A cell and a phase that costs are injected into.
struct SelfTestTarget: Sendable {
  /// The cell.
  let planned: PlannedCell
  /// The phase's id.
  let phase: String

  /// Finds what was typed, as `json/decode` or, at another durability, `sqlite/write@durable`.
  ///
  /// - Throws: a ``CLIError`` for an unknown name.
  init<Document: BenchDocument>(
    _ typed: String, among cells: [PlannedCell], in suite: Suite<Document>
  ) throws {
    let parts = typed.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, var cell = cells.first(where: { $0.cell.backend == parts[0] }) else {
      throw CLIError(
        "--target \(typed) is no backend and phase of this self-test",
        help: "backends: \(cells.map(\.cell.backend).joined(separator: ", "))", status: .usage)
    }
    let place = parts[1].split(separator: "@", maxSplits: 1).map(String.init)
    if place.count == 2 { cell.cell.durability = try ValidNames.durabilities.one(place[1]) }
    let phases = (try? suite.workload(cell.cell.workload))?.phases.map(\.id) ?? []
    planned = cell
    phase = try ValidNames(kind: "phase", ids: phases).one(place.first ?? "")
  }

  /// A cost added to it.
  func injection(_ cost: Injection.Cost) -> Injection {
    Injection(backend: planned.cell.backend, phase: phase, cost: cost)
  }

  /// It as a trial keeps it.
  func planted(_ share: Double) -> GateTrial.Planted {
    GateTrial.Planted(
      backend: planned.cell.backend, phase: phase, durability: planned.cell.durability,
      share: share)
  }

  /// Its row of a metric.
  func key(_ metric: Metric) -> Series.Key {
    Series.Key(cell: planned.cell, phase: phase, metric: metric.id)
  }

  /// The cell and the phase, in words.
  var words: String { "\(planned.cell) \(phase)" }
}
