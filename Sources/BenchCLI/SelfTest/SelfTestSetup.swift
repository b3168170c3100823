import ArgumentParser
import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation

/// What a self-test measures: this program on both sides of a gate.
struct SelfTestSetup<App: BenchApp>: Sendable {
  private let gate: GateSetup<App>
  /// The cell that costs are injected into.
  let targetCell: PlannedCell
  /// The phase that costs are injected into.
  let phase: String
  /// The seed of what is drawn.
  let seed: UInt64

  /// Finds what was typed in the suite.
  ///
  /// - Throws: a ``CLIError`` for an unknown name.
  init(
    backend: String, menu: String, target: String, storage: String, seed: UInt64
  ) throws {
    var selection = try Selection.parse([])
    (selection.backend, selection.menu) = (backend, menu)
    let limits = try Limits.parse([])
    let chosen = try selection.resolve(in: App.suite)
    gate = GateSetup(
      chosen: chosen, takesAllBackends: false, limits: limits, tier: .all,
      tolerances: Tolerances(), injection: nil, out: storage, seed: seed)
    let parts = target.split(separator: "/", maxSplits: 1).map(String.init)
    let cells = chosen.cells
    guard parts.count == 2, let cell = cells.first(where: { $0.cell.backend == parts[0] }) else {
      throw CLIError(
        "--target \(target) is no backend and phase of this self-test",
        help: "backends: \(cells.map(\.cell.backend).joined(separator: ", "))", status: .usage)
    }
    let phases = App.suite.workloads.first { $0.id == cell.cell.workload }?.phases.map(\.id) ?? []
    (targetCell, phase) = (cell, try Choice(kind: "phase", ids: phases).one(parts[1]))
    self.seed = seed
  }

  /// What is measured, in words.
  var words: String {
    let backends = gate.chosen.cells.map(\.cell.backend).joined(separator: ", ")
    return "\(backends) on \(targetCell.cell.menu), \(targetCell.cell.workload) at durability "
      + targetCell.cell.durability
  }

  /// A cost added to the target.
  func injection(_ cost: Injection.Cost) -> Injection {
    Injection(backend: targetCell.cell.backend, phase: phase, cost: cost)
  }

  /// The target's row of a metric.
  func key(_ metric: Metric) -> Series.Key {
    Series.Key(cell: targetCell.cell, phase: phase, metric: metric.id)
  }

  /// Pairs of timed blocks, of every cell or with a cost of the target's alone.
  func record(pairs: Int, injection: Injection? = nil) async throws -> Sides<RunRecord> {
    try await measure(injection) { gate in
      (gate.plan.counters, gate.plan.traced) = ([], [])
      gate.plan.budgetSeconds = nil
      gate.nextPairs = { records in
        Dictionary(records.candidate.outcomes.map { ($0.cell, pairs) }) { first, _ in first }
      }
    }
  }

  /// Blocks of counters.
  func count(blocks: Int, injection: Injection? = nil) async throws -> Sides<RunRecord> {
    try await measure(injection) { gate in
      (gate.plan.times, gate.plan.traced) = ([], [])
      gate.plan.countedBlocks = blocks
    }
  }

  /// Blocks that count instructions, of the target's backend alone.
  func trace(blocks: Int, injection: Injection? = nil) async throws -> Sides<RunRecord> {
    let backend = targetCell.cell.backend
    return try await measure(injection) { gate in
      gate.plan.traced = gate.plan.traced.filter { $0.cell.backend == backend }
      gate.plan.cells = gate.plan.counters.contains(Metric.instructions.id) ? [targetCell] : []
      gate.plan.times = []
      gate.plan.counters.formIntersection([Metric.instructions.id])
      (gate.plan.countedBlocks, gate.plan.instructionBlocks) = (blocks, blocks)
    }
  }

  /// A whole gate of this program against itself.
  func wholeGate() async throws -> SelfTestFindings.RealGate {
    let start = ContinuousClock.now
    let records = try await measure(nil) { _ in }
    let report = Report(record: records.candidate, baseline: records.baseline)
    return SelfTestFindings.RealGate(
      seconds: start.duration(to: .now) / .seconds(1), verdicts: report.rows.compactMap(\.verdict))
  }

  private func measure(
    _ injection: Injection?, _ change: (inout PairedGate) -> Void
  ) async throws -> Sides<RunRecord> {
    let storage = try Storage(in: gate.out, durabilities: gate.chosen.durabilities)
    defer { storage.remove() }
    let own = await Program.own()
    let sides = try Sides(
      baseline: GateSide(.baseline, own, in: storage),
      candidate: GateSide(.candidate, own, in: storage))
    var paired = try await PairedGate(gate, sides: sides, storage: storage)
    change(&paired)
    if injection != nil {
      paired.plan.cells = paired.plan.cells.filter { $0 == targetCell }
      paired.plan.injection = injection
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
