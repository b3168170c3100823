import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation

/// One run under way: the runner, its workers, its progress, and Ctrl-C.
final class Session: Sendable {
  private let runner: Runner
  private let progress: ProgressDisplay
  private let interruption = Interruption()

  init(plan: RunPlan, record: RunRecord, folder: OutputFolder, precision: Double) {
    progress = ProgressDisplay(folder: folder, showsBar: Console.showsProgressBar)
    let rule = PrecisionRule(
      relativeHalfWidth: precision, emptySample: record.machine.emptySample)
    var record = record
    record.settings.scheduleSeed = plan.seed
    runner = Runner(
      plan, record: record,
      worker: SubprocessWorker(
        executable: OwnExecutable.path, arguments: ["worker"], scratch: plan.storage + "/callgrind"),
      clock: MonotonicClock(), isSettled: { rule.isSettled($0) }, observer: progress)
  }

  /// Measures to the end, or to the first Ctrl-C.
  func measure() async -> RunRecord {
    let measuring = Task { await runner.run() }
    interruption.watch { measuring.cancel() }
    let record = await measuring.value
    progress.finish(record)
    return record
  }

  /// Ends the process by the signal that interrupted it, as its caller expects.
  func reraiseInterruption() { interruption.reraise() }
}

/// The path of this program, by which it can start itself.
enum OwnExecutable {
  static var path: String {
    #if os(Linux)
      // Stays this very program even when a build replaces the file meanwhile.
      "/proc/\(getpid())/exe"
    #else
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }
}
