import Foundation

/// What a fresh process is asked to do, in the folder of the store.
///
/// It travels as arguments: a JSON decoder used for it would be warm when the store wants one.
package struct ColdRequest: Hashable, Sendable {
  package var workload: String
  package var backend: String
  package var durability: String
  /// The workload's own numbers.
  package var order: [Int]
  /// Whether it ends itself by SIGKILL once it has replied, which the workload knows by the order.
  package var dies = false
}

extension ColdRequest {
  /// The arguments of the command that serves it; no id holds a comma.
  package var arguments: [String] {
    let words = [workload, backend, durability] + order.map(String.init)
    return ["--request=\(words.joined(separator: ","))"]
  }

  /// Reads what ``arguments`` say behind the sign; nil of anything else.
  package init?(_ text: String) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let order = words.dropFirst(3).compactMap { Int($0) }
    guard words.count >= 3, order.count == words.count - 3 else { return nil }
    self.init(workload: words[0], backend: words[1], durability: words[2], order: order)
  }
}

/// What a fresh process tells whoever started it.
package struct ColdReply: Hashable, Codable, Sendable {
  /// The moment at which it began to work, on the system's steady clock.
  package var began: UInt64
  /// The workload's finding, as JSON.
  package var finding: Data
}

/// Starts a fresh process for a request, somewhere else or in a test's script.
package protocol ColdStarter: Sendable {
  /// Starts it, waits for its end, and gives what it said with the moment before it was spawned, on
  /// the system's steady clock. Blocks the calling thread, which must be none that tasks run on.
  ///
  /// - Parameters:
  ///   - limit: seconds that it may take.
  ///   - beat: called now and then meanwhile.
  /// - Throws: ``WorkloadFailure`` where it crashed, hung, failed or said something else.
  func start(
    _ request: ColdRequest, limit: Int, _ beat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply)
}
