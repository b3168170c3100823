import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation

extension RunRecord {
  /// What is known before the first block: the program, the machine, what was asked.
  static func empty<Document>(
    for chosen: Selection.Chosen<Document>, _ limits: Limits, budget: Double?, _ storage: Storage
  ) async -> RunRecord {
    var machine = ThisMachine().machine
    if chosen.metrics?.contains(Metric.instructions.id) == true {
      await machine.findInstructionCounter()
    }
    return RunRecord(
      tool: Tool(
        name: ToolInfo.name, version: ToolInfo.version, revision: await GitRevision.current()),
      machine: machine,
      settings: Settings(
        started: Date().formatted(.iso8601), blocks: limits.blocks, budgetSeconds: budget,
        targetPrecision: limits.precision, scheduleSeed: 0, storage: storage.parent,
        fileSystem: storage.fileSystem),
      backends: chosen.backends, menus: chosen.menus)
  }

  /// Refuses a run of which a cell could not be measured, or has nothing of what was asked for: it has
  /// not passed.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured`.
  func checkIsMeasured() throws {
    try checkNothingIsEmpty()
    guard let first = failures.first else { return }
    throw CLIError(
      "\(failures.count) of \(outcomes.count) cells could not be measured; first \(first.cell)"
        + (first.stage.map { " in \($0)" } ?? "") + ": \(first.reason)", status: .unmeasured)
  }

  private func checkNothingIsEmpty() throws {
    let measured = Set(judged.map(\.cell))
    let failed = Set(failures.map(\.cell))
    let empty = outcomes.filter {
      $0.stop != .interrupted && $0.stop != .notApplicable && !measured.contains($0.cell)
        && !failed.contains($0.cell)
    }
    guard let first = empty.first else { return }
    let reason = cells.first { $0.cell == first.cell }?.unsupported
    throw CLIError(
      "\(first.cell) has no figure of the metrics asked for"
        + (reason.map { ": \($0)" } ?? ""),
      help: "see bench doctor for what this machine can measure", status: .unmeasured)
  }
}
