import BenchResults

/// Measures one block, somewhere else: in a process of its own, or in a test's script.
package protocol Worker: Sendable {
  /// - Returns: its series, or why there are none; a worker that crashes or hangs is such a reason.
  /// - Throws: `CancellationError` when the run was stopped meanwhile.
  func measure(_ request: BlockRequest) async throws -> BlockOutcome
}

package enum BlockOutcome: Hashable, Sendable {
  /// Its series, each with one block of values.
  case measured([Series])
  case failed(stage: String?, reason: String)
}
