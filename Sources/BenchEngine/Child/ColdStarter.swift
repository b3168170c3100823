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
