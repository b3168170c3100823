import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import Subprocess

extension SubprocessWorker: ColdStarter {
  /// Starts the executable, which serves ``ColdProcess``, in this process's working folder.
  package func start(
    _ request: ColdRequest, limit: Int, _ heartbeat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply) {
    var started = launch(.timed)
    started.arguments += request.arguments
    let launch = started
    return try Self.waiting(heartbeat) {
      let transcript = Transcript(of: "a fresh process")
      let start = ContinuousClock.now
      let spawned = MonotonicClock().now()
      let end = try await launch.converse(Data(), into: transcript, limit: limit, since: start)
      // The process ends by itself, or by the signal that it was supposed to die of.
      let due = request.isKilled ? TerminationStatus.signaled(SIGKILL) : .exited(0)
      if end == due, let reply = await transcript.reply { return (spawned, reply) }
      throw WorkloadFailure(
        await transcript.lack(
          of: "its findings", at: end,
          hung: "a fresh process hung: no answer within \(limit) s, so it was ended"))
    }
  }

  /// Runs an asynchronous operation while the calling thread waits for it.
  private static func waiting<Value: Sendable>(
    _ heartbeat: () -> Void, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let lock = NSConditionLock(condition: 0)
    // Guarded by the lock. A Mutex is no option: on Linux the thread sanitizer does not see it lock.
    nonisolated(unsafe) var result = Result<Value, any Error>.failure(CancellationError())
    @Sendable func end(with outcome: Result<Value, any Error>) {
      lock.lock()
      result = outcome
      lock.unlock(withCondition: 1)
    }
    Task {
      do { end(with: .success(try await operation())) } catch { end(with: .failure(error)) }
    }
    while !lock.lock(whenCondition: 1, before: Date(timeIntervalSinceNow: 0.5)) { heartbeat() }
    defer { lock.unlock() }
    return try result.get()
  }
}
