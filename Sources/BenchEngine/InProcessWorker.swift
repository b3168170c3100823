import BackendKit
import BenchDocuments
import BenchResults
import Foundation

/// Measures blocks in this very process, each on a thread of its own: where none can be started, as on
/// a phone.
///
/// A store that crashes takes the process along, and one that hangs is waited for.
package struct InProcessWorker<Document: BenchDocument>: Worker {
  private let suite: Suite<Document>
  private let refusals: [String: String]

  /// Will measure what this suite has.
  ///
  /// - Parameter refusals: why metrics, by their ids, are not given: what is counted for a whole process
  ///   is not a store's own where an app is in it, too.
  package init(_ suite: Suite<Document>, refusals: [String: String]) {
    self.suite = suite
    self.refusals = refusals
  }

  /// Measures a block; a store that throws is a failure of its cell.
  package func measure(_ request: BlockRequest) async -> BlockOutcome {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: outcome(of: request)) }
      // A main thread's: others have half a megabyte on Apple's systems.
      thread.stackSize = 8 << 20
      thread.qualityOfService = .userInteractive
      thread.start()
    }
  }

  private func outcome(of request: BlockRequest) -> BlockOutcome {
    var stage: String?
    do {
      return .measured(try series(of: request) { stage = $0 })
    } catch {
      return .failed(stage: stage, reason: failureReason(error))
    }
  }

  private func series(
    of request: BlockRequest, _ announce: @escaping (String) -> Void
  ) throws -> [Series] {
    var request = request
    // What is refused is said once, with what is counted.
    if request.kind == .counted { request.metrics = request.metrics?.union(refusals.keys) }
    return try BlockTask.measure(
      request, in: suite, store: request.folder + "/store", announce: announce,
      refusals: refusals)
  }
}
