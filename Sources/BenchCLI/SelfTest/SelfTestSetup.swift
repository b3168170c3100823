import ArgumentParser
import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation

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
    var selection = try Selection.parse([])
    (selection.backend, selection.menu) = (backend, menu)
    let chosen = try selection.resolve(in: App.suite)
    gate = GateSetup(
      chosen: chosen, takesAllBackends: false, limits: try GateLimits.parse([]), tier: .all,
      tolerances: Tolerances(), injection: nil, out: storage, seed: seed)
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
      (gate.plan.counters, gate.plan.traced) = ([], [])
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
      (gate.plan.times, gate.plan.traced) = ([], [])
      gate.plan.countedBlocks = blocks
    }
  }

  /// Blocks that count instructions, of a target's backend alone.
  func trace(
    blocks: Int, _ target: SelfTestTarget, _ cost: Injection.Cost? = nil
  ) async throws -> Sides<RunRecord> {
    let backend = target.planned.cell.backend
    return try await measure(target, cost) { gate in
      gate.plan.traced = gate.plan.traced.filter { $0.cell.backend == backend }
      gate.plan.cells = gate.plan.counters.contains(Metric.instructions.id) ? [target.planned] : []
      gate.plan.times = []
      gate.plan.counters.formIntersection([Metric.instructions.id])
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
    let storage = try Storage(in: gate.out, durabilities: gate.chosen.durabilities)
    defer { storage.remove() }
    let own = await Program.own()
    let sides = try Sides(
      baseline: GateSide(.baseline, own, in: storage),
      candidate: GateSide(.candidate, own, in: storage))
    var paired = try await PairedGate(gate, sides: sides, storage: storage)
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
