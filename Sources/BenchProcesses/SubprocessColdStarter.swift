import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Starts an executable that serves ``ColdProcess``, in the folder where this process works.
package struct SubprocessColdStarter: ColdStarter {
  private let executable: String
  private let arguments: [String]

  /// Will start this executable with these arguments and those of the request.
  package init(executable: String, arguments: [String]) {
    self.executable = executable
    self.arguments = arguments
  }

  /// Spawns the process; its environment is a worker's.
  package func start(
    _ request: ColdRequest, limit: Int, _ beat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply) {
    let launch = Launch(
      executable: .path(FilePath(executable)), arguments: arguments + request.arguments)
    return try Self.waiting(beat) {
      let transcript = Transcript(of: "a fresh process")
      let spawned = MonotonicClock().now()
      let end = try await withWatchdog(seconds: limit, idle: { .since(spawned) }) {
        try await launch.converse(Data(), into: transcript)
      }
      return (spawned, try await transcript.reply(at: end, dies: request.dies, limit: limit))
    }
  }

  /// Runs an operation to its end while the calling thread waits for it.
  private static func waiting<Value: Sendable>(
    _ beat: () -> Void, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let condition = NSCondition()
    // Under the condition's lock. No Mutex: on Linux the thread sanitizer does not see it lock.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    Task {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
      condition.withLock {
        result = outcome
        condition.signal()
      }
    }
    while true {
      let found = condition.withLock {
        if result == nil { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5)) }
        return result
      }
      if let found { return try found.get() }
      beat()
    }
  }
}

extension Duration {
  /// How long ago a moment of the system's steady clock was.
  fileprivate static func since(_ moment: UInt64) -> Duration {
    .nanoseconds(Int64(MonotonicClock().now() - moment))
  }
}

extension Transcript {
  /// What a fresh process replied that ended so: by itself, or by the signal that it was to die of.
  fileprivate func reply(
    at end: TerminationStatus?, dies: Bool, limit: Int
  ) throws -> ColdReply {
    if let reply, end == (dies ? .signaled(SIGKILL) : .exited(0)) { return reply }
    let hung = "a fresh process hung: no answer within \(limit) s, so it was ended"
    guard case .failed(_, let reason) = outcome(of: end, hung: hung) else {
      throw WorkloadFailure("a fresh process said something else than what it found")
    }
    throw WorkloadFailure(reason)
  }
}
