import BenchHarness
import BenchResults
import Foundation

extension GateSetup {
  /// What is known of one side before anything is measured.
  func record(
    of side: GateSide, _ hello: WorkerHello, _ metrics: GateMetrics, _ storage: Storage
  ) async -> RunRecord {
    var tool = hello.tool
    tool.revision = side.program.revision
    var machine = hello.machine
    if metrics.tracesInstructions { await machine.findInstructionCounter() }
    return RunRecord(
      tool: tool, machine: machine,
      settings: Settings(
        started: Date().formatted(.iso8601), blocks: nil, budgetSeconds: limits.budget,
        targetPrecision: Limits.usualPrecision, scheduleSeed: seed, storage: storage.parent,
        fileSystem: storage.fileSystem),
      backends: chosen.backends, menus: chosen.menus,
      warnings: injection.map { ["injected into the candidate to try the gate: \($0)"] } ?? [])
  }
}
