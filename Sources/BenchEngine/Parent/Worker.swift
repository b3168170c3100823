import BenchResults

/// Measures blocks, in another process or in this one. Tests replace it with a script.
package protocol Worker: Sendable {
  /// - Returns: the series, or why there are none. A crash or a hang of the worker is such a reason.
  /// - Throws: `CancellationError` if the run was stopped meanwhile.
  func measure(_ request: BlockRequest) async throws -> BlockOutcome
}

package enum BlockOutcome: Hashable, Sendable {
  /// The series, each with one block of values.
  case measured([Series])
  case failed(stage: String?, reason: String)
}
