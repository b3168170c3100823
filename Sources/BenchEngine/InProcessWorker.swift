import BackendKit
import BenchDocuments
import BenchResults
import Foundation

/// Measures each block on its own thread in this process. MenuBenchKit uses it on systems such as
/// iOS, where no process can be started.
///
/// A store that crashes takes the process down. A store that hangs is never ended.
package struct InProcessWorker<Document: BenchDocument>: Worker {
  private let suite: Suite<Document>
  private let refusals: [String: String]

  /// Creates a worker for a suite.
  ///
  /// - Parameter refusals: the reasons, by metric id, for metrics that are not measured. Counters
  ///   of a whole process would include the app's own work.
  package init(_ suite: Suite<Document>, refusals: [String: String]) {
    self.suite = suite
    self.refusals = refusals
  }

  /// Measures a block. If the store throws, the cell fails.
  package func measure(_ request: BlockRequest) async -> BlockOutcome {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: outcome(of: request)) }
      // As large as the main thread's; on Apple's systems other threads have only half a megabyte.
      thread.stackSize = 8 << 20
      thread.qualityOfService = .userInteractive
      thread.start()
    }
  }

  private func outcome(of request: BlockRequest) -> BlockOutcome {
    var (request, stage) = (request, String?.none)
    // Counted blocks list the refused metrics, so each reason is recorded once.
    if request.kind == .counted { request.metrics = request.metrics?.union(refusals.keys) }
    do {
      return .measured(
        try BlockTask.measure(
          request, in: suite, store: request.folder + "/store", announce: { stage = $0 },
          refusals: refusals))
    } catch {
      return .failed(stage: stage, reason: failureReason(error))
    }
  }
}
