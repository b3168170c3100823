import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation

/// One gate against a stored run under way: this program's side of it.
///
/// Counters alone, unless times are asked for: two runs that were measured apart differ by the
/// machine's moods, which pairs of blocks share.
struct StoredGate: Sendable {
  /// Timed blocks of each cell where times are judged: as many as a gate's first look.
  private static let timedBlocks = 12

  private let plan: RunPlan
  private let side: GateSide
  private let record: RunRecord
  private let metrics: GateMetrics

  /// Asks this program what it is, and plans what to measure of it.
  init<App: BenchApp>(
    _ setup: GateSetup<App>, judgesTimes: Bool, storage: Storage
  ) async throws {
    let documents = Set(setup.chosen.cells.map(\.documentName)).sorted()
    side = try GateSide(.candidate, await Program.own(), in: storage)
    let hello = try await side.hello(documents)
    metrics = try GateMetrics(
      tier: judgesTimes ? setup.tier : .exact, named: setup.chosen.metrics,
      instructionCounter: hello.machine.instructionCounter, tracesUnasked: false)
    plan = RunPlan(
      cells: setup.chosen.cells, blocks: metrics.times.isEmpty ? nil : Self.timedBlocks,
      budgetSeconds: nil, metrics: metrics.all, injection: setup.injection,
      memoryLimit: setup.limits.workers.memoryBytes, timeout: setup.limits.workers.timeout,
      storage: storage.path, seed: setup.seed)
    record = await setup.record(of: side, hello, metrics, storage)
  }

  /// Measures to the end, or until the task is cancelled.
  func measure(into folder: OutputFolder) async -> RunRecord {
    let display = ProgressDisplay(folder: folder, showsBar: Console.showsProgressBar)
    let runner = Runner(
      plan, record: record, worker: side.worker, clock: MonotonicClock(),
      isSettled: { _ in false }, observer: display)
    let measured = await runner.run()
    display.finish(measured)
    return measured
  }

  /// The baseline without the metrics that are not measured now: they are not missing.
  func limited(_ baseline: RunRecord) -> RunRecord {
    var baseline = baseline
    baseline.cells = baseline.cells.filter {
      !$0.isJudged || metrics.all.contains($0.metric.id)
    }
    return baseline
  }
}
