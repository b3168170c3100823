import BenchResults
import Foundation
import Subprocess

/// How a worker's process is started.
struct Launch: Sendable {
  var executable: Executable
  var arguments: [String]
  /// What it sees of the environment besides the few variables that every worker gets.
  var variables: [String: String] = [:]
}

extension Launch {
  /// A worker sees only what it needs: the environment's size moves a process's stack, and its
  /// variables reach into libraries. No block spends its time on drawing a backtrace when it crashes.
  var environment: Subprocess.Environment {
    let passed = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    let own = ProcessInfo.processInfo.environment
    var all = ["SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
    for name in passed { all[name] = own[name] }
    return .custom(
      Dictionary(
        uniqueKeysWithValues: all.map { (Subprocess.Environment.Key(stringLiteral: $0), $1) }))
  }

  /// A group of its own: Ctrl-C on a terminal reaches the parent, which then ends its worker.
  static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }

  /// Starts a process, gives it its input, and takes down what it says until its end.
  func converse(_ input: Data, into transcript: Transcript) async throws -> TerminationStatus {
    let request = try RequestFile.open(input)
    return try await Subprocess.run(
      executable, arguments: Arguments(arguments), environment: environment,
      platformOptions: Self.platformOptions,
      input: .fileDescriptor(request, closeAfterSpawningProcess: true), output: .sequence,
      error: .sequence
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
}
