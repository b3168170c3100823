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
      guard let end else {
        throw WorkloadFailure("a fresh process hung: no answer within \(limit) s, so it was ended")
      }
      return (spawned, try await transcript.reply(at: end, dies: request.dies))
    }
  }

  /// Runs an operation to its end while the calling thread waits for it.
  private static func waiting<Value: Sendable>(
    _ beat: () -> Void, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let promise = Promise<Value>()
    Task {
      do {
        promise.set(.success(try await operation()))
      } catch {
        promise.set(.failure(error))
      }
    }
    while true {
      if let result = promise.get(within: 0.5) { return try result.get() }
      beat()
    }
  }
}

/// What comes of an operation, handed from its thread to the one that waits for it.
private final class Promise<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var result: Result<Value, any Error>?

  func set(_ result: Result<Value, any Error>) {
    condition.withLock {
      self.result = result
      condition.signal()
    }
  }

  /// The result; nil where there is none after so many seconds.
  func get(within seconds: Double) -> Result<Value, any Error>? {
    condition.withLock {
      if result == nil { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
      return result
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
  fileprivate func reply(at end: TerminationStatus, dies: Bool) throws -> ColdReply {
    if let reply, dies ? end == .signaled(SIGKILL) : end.isSuccess { return reply }
    guard case .failed(_, let reason) = outcome(of: end, memoryLimit: nil) else {
      throw WorkloadFailure("a fresh process said something else than what it found")
    }
    throw WorkloadFailure(reason)
  }
}
