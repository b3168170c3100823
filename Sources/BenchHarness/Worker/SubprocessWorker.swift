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
  private let executable: String
  private let arguments: [String]

  /// Will start this executable with these arguments for every block.
  public init(executable: String, arguments: [String]) {
    self.executable = executable
    self.arguments = arguments
  }

  /// Starts a process, sends the request, and waits for its end as long as it gives signs of life.
  public func measure(_ request: BlockRequest) async throws -> BlockOutcome {
    let transcript = Transcript()
    let end = try await withWatchdog(transcript, silence: request.timeout) {
      try await run(request, into: transcript)
    }
    guard let end else {
      return .failed(
        stage: await transcript.stage,
        reason: "it hung: nothing heard for \(request.timeout) s, so it was ended")
    }
    return await transcript.outcome(of: end, memoryLimit: request.memoryLimit)
  }

  private func run(
    _ request: BlockRequest, into transcript: Transcript
  ) async throws -> TerminationStatus {
    try await Subprocess.run(
      .path(FilePath(executable)), arguments: Arguments(arguments),
      environment: Self.environment(for: request.kind), platformOptions: Self.platformOptions,
      input: .data(try JSONEncoder().encode(request)), output: .sequence, error: .sequence
    ) { execution in
      async let errors: Void = {
        for try await line in execution.standardError.strings(bufferingPolicy: .unbounded) {
          await transcript.note(line)
        }
      }()
      for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
        await transcript.receive(line)
      }
      try await errors
    }.terminationStatus
  }

  /// A worker sees only what it needs: the environment's size moves a process's stack, and its
  /// variables reach into libraries. Counted blocks hash alike in every process, so that counts are
  /// equal. No block spends its time on drawing a backtrace when it crashes.
  private static func environment(for kind: BlockRequest.Kind) -> Subprocess.Environment {
    let passed = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    let own = ProcessInfo.processInfo.environment
    var variables: [Subprocess.Environment.Key: String] = ["SWIFT_BACKTRACE": "enable=no"]
    for name in passed {
      if let value = own[name] {
        variables[Subprocess.Environment.Key(stringLiteral: name)] = value
      }
    }
    if kind != .timed { variables["SWIFT_DETERMINISTIC_HASHING"] = "1" }
    return .custom(variables)
  }

  /// A group of its own: Ctrl-C on a terminal reaches the parent, which then ends its worker.
  private static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }
}

/// Runs an operation, cancels it once its transcript has been silent for too long, and gives nil then.
private func withWatchdog<Value: Sendable>(
  _ transcript: Transcript, silence: Int,
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      while true {
        let rest = Duration.seconds(silence) - (await transcript.silence)
        guard rest > .zero else { return nil }
        try await Task.sleep(for: rest)
      }
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
