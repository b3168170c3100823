import Foundation

/// The work that a fresh process must do on the store in its working folder.
///
/// It is passed as arguments: parsing JSON would warm up a decoder that the store may use.
package struct ColdRequest: Hashable, Sendable {
  package var workload: String
  package var backend: String
  package var durability: String
  /// Numbers that only the workload interprets, see ``ColdWorkload/order(_:by:)``.
  package var order: [Int]
  /// Whether the process kills itself by SIGKILL after its reply. It derives this from ``order``.
  package var isKilled = false
}

extension ColdRequest {
  /// The command-line arguments that carry the request. Ids contain no commas.
  package var arguments: [String] {
    let words = [workload, backend, durability] + order.map(String.init)
    return ["--request=\(words.joined(separator: ","))"]
  }

  /// Parses the text after `--request=`. Returns nil if it is malformed.
  package init?(_ text: String) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let order = words.dropFirst(3).compactMap { Int($0) }
    guard words.count >= 3, order.count == words.count - 3 else { return nil }
    self.init(workload: words[0], backend: words[1], durability: words[2], order: order)
  }
}

/// The message from a fresh process to the process that started it.
package struct ColdReply: Hashable, Codable, Sendable {
  /// When the work began, in nanoseconds of the monotonic clock.
  package var began: UInt64
  /// The workload's finding, as JSON.
  package var finding: Data
}

/// Starts a fresh process for a request. Tests replace it with a script.
package protocol ColdStarter: Sendable {
  /// Starts a process, waits for its end, and returns its reply with the monotonic time before the
  /// spawn. It blocks the calling thread, so do not call it on a task's thread.
  ///
  /// - Parameters:
  ///   - limit: the seconds after which the process is ended.
  ///   - beat: called every now and then during the wait.
  /// - Throws: ``WorkloadFailure`` if the process crashes, hangs, fails or sends another message.
  func start(
    _ request: ColdRequest, limit: Int, _ heartbeat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply)
}
