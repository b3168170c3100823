import BenchAnalysis
import BenchHarness
import BenchResults
import MenuModel

/// Measuring for `compare` and `scale`, which set storages side by side.
struct SideBySide<Document: BenchDocument> {
  /// What to measure.
  let chosen: Selection.Chosen<Document>
  /// The limits, as typed.
  let limits: Limits
  /// Seconds that measuring may take; nil for no end.
  let budget: Double?
  /// The folder that reports go to.
  let out: String

  /// Seconds for which a timed block samples: more blocks say more of processes than longer ones.
  private static var blockSeconds: Double { 0.1 }

  /// Measures, and has the record analysed, kept and shown.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured` after that, where a cell could not be measured.
  func measure<Analysis>(
    _ finish: (RunRecord, OutputFolder) throws -> Analysis
  ) async throws -> Analysis {
    let folder = try OutputFolder(out)
    let storage = try Storage(
      in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let session = Session(
      plan: runPlan(in: storage),
      record: await .empty(for: chosen, limits, budget: budget, storage),
      folder: folder, precision: limits.precision)
    let record = await session.measure()
    let analysis = try finish(record, folder)
    storage.remove()
    session.reraiseInterruption()
    try record.checkIsMeasured()
    return analysis
  }

  private func runPlan(in storage: Storage) -> RunPlan {
    RunPlan(
      cells: chosen.cells, blocks: limits.blocks, countedBlocks: 1, budgetSeconds: budget,
      sampling: Sampling(seconds: Self.blockSeconds), memoryLimit: limits.workers.memoryBytes,
      timeout: limits.workers.timeout, storage: storage.path, seed: limits.workers.anySeed)
  }
}
