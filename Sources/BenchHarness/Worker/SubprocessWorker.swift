import BenchProbes
import BenchResults
import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Measures each block in a fresh process of an executable that serves ``WorkerProcess``.
public struct SubprocessWorker: Worker {
  let executable: String
  private let arguments: [String]
  private let callgrind: Callgrind

  /// How many times as long as any other a worker under Callgrind may be silent.
  private static let patience = 20

  /// Will start this executable with these arguments for every block.
  ///
  /// - Parameter scratch: a folder for the copy of the executable by which Callgrind counts its
  ///   instructions, made when it is first needed and removed by whoever gives it; without it,
  ///   blocks of that kind are unsupported where the processor has no counter.
  public init(executable: String, arguments: [String], scratch: String? = nil) {
    self.executable = executable
    self.arguments = arguments
    callgrind = Callgrind(executable: executable, arguments: arguments, scratch: scratch)
  }

  /// Starts a process, sends the request, and waits for its end as long as it gives signs of life.
  public func measure(_ request: BlockRequest) async throws -> BlockOutcome {
    guard request.kind == .instructions, let refusal = Instructions.refusal else {
      return try await measure(request, by: launch(request.kind))
    }
    switch await callgrind.launch(request) {
    case .success(let launch):
      var request = request
      request.timeout = min(request.timeout, 1 << 24) * Self.patience
      return try await measure(request, by: launch)
    case .failure(let lack):
      // The worker knows the phases, for which it will say that they are unsupported.
      return try await measure(request, by: launch(request.kind))
        .unsupported("\(refusal); \(lack.reason)")
    }
  }

  private func measure(_ request: BlockRequest, by launch: Launch) async throws -> BlockOutcome {
    let transcript = Transcript()
    let input = try JSONEncoder().encode(request)
    let end = try await withWatchdog(
      seconds: request.timeout, idle: { await transcript.silence }
    ) {
      try await launch.converse(input, into: transcript)
    }
    guard let end else {
      return .failed(
        stage: await transcript.stage,
        reason: "it hung: nothing heard for \(request.timeout) s, so it was ended")
    }
    return await transcript.outcome(of: end, memoryLimit: request.memoryLimit)
  }

  /// Counted blocks hash alike in every process, so that counts are equal.
  func launch(_ kind: BlockRequest.Kind) -> Launch {
    Launch(
      executable: .path(FilePath(executable)), arguments: arguments,
      variables: kind == .timed ? [:] : ["SWIFT_DETERMINISTIC_HASHING": "1"])
  }
}

extension BlockOutcome {
  /// The same with one reason for all that is unsupported.
  fileprivate func unsupported(_ reason: String) -> Self {
    guard case .measured(let series) = self else { return self }
    return .measured(
      series.map {
        var series = $0
        if series.unsupported != nil { series.unsupported = reason }
        return series
      })
  }
}

/// Runs an operation, cancels it once it has been idle for too long, and gives nil then.
func withWatchdog<Value: Sendable>(
  seconds: Int, idle: @escaping @Sendable () async -> Duration,
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      while true {
        let rest = Duration.seconds(seconds) - (await idle())
        guard rest > .zero else { return nil }
        try await Task.sleep(for: rest)
      }
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
