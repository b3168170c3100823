import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A built executable of this package, run for real.
struct Executable {
  static let bench = Executable("bench")
  /// The same CLI over backends that misbehave.
  static let faulty = Executable("FaultyBench")
  /// The costs of the libraries alone.
  static let references = Executable("References")

  let path: String

  private init(_ name: String) { path = Self.products.appending(path: name).path }

  /// The path of a dynamic library among the package's products.
  static func library(_ name: String) -> String { products.appending(path: "lib\(name).so").path }

  /// The package's products are in one folder. On Apple's systems, the tests are a bundle in it.
  private static var products: URL {
    let bundle = Bundle(for: Anchor.self).bundleURL
    return bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
  }

  /// The results of a run of an executable.
  struct Outcome: Sendable {
    var status: TerminationStatus
    var output: String
    var errors: String
  }

  /// Runs with arguments split at spaces, in a folder.
  func callAsFunction(_ arguments: String, in folder: String) async throws -> Outcome {
    try await run(arguments.split(separator: " ").map(String.init), in: folder)
  }

  /// Runs with arguments as they are, in a folder.
  func run(
    _ arguments: [String], in folder: String, environment: Environment = .inherit
  ) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments), environment: environment,
      workingDirectory: FilePath(folder),
      output: .string(limit: 64 << 20), error: .string(limit: 64 << 20))
    return Outcome(
      status: result.terminationStatus, output: result.standardOutput,
      errors: result.standardError)
  }
}

private final class Anchor {}

/// Runs a test in an empty folder, and removes it.
func inFolder<Value: Sendable>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

extension Executable {
  /// Runs with arguments split at spaces in a folder, at a terminal of so many columns that shows colours unless
  /// `NO_COLOR` says otherwise.
  ///
  /// - Returns: what the terminal got of both streams, lines ended by LF alone.
  func shown(
    _ arguments: String, in folder: String, columns: Int, noColor: String = "",
    environment: Environment = .inherit
  ) async throws -> (status: TerminationStatus, screen: String) {
    let terminal = try Terminal(columns: columns)
    async let screen = terminal.read()
    let result: Result<TerminationStatus, any Error>
    do {
      let ended = try await Subprocess.run(
        .path(FilePath(path)),
        arguments: Arguments(arguments.split(separator: " ").map(String.init)),
        environment: environment.updating(["TERM": "xterm-256color", "NO_COLOR": noColor]),
        workingDirectory: FilePath(folder), input: .none,
        output: .fileDescriptor(terminal.program, closeAfterSpawningProcess: false),
        error: .fileDescriptor(terminal.program, closeAfterSpawningProcess: false))
      result = .success(ended.terminationStatus)
    } catch {
      result = .failure(error)
    }
    // Only then does reading end.
    try terminal.program.close()
    let text = try await screen
    return (try result.get(), text)
  }

  /// Runs with arguments in a folder and sends SIGINT as soon as a file is there, so many times at once.
  func run(
    _ arguments: [String], in folder: String, interruptedOnceThereIs file: String, times: Int = 1
  ) async throws -> TerminationStatus {
    try await run(arguments, in: folder, by: .interrupt, times: times) {
      FileManager.default.fileExists(atPath: folder + "/" + file)
    }
  }

  /// Runs with arguments in a folder and sends SIGINT as soon as something holds.
  func run(
    _ arguments: [String], in folder: String, interruptedOnce isTime: @Sendable () -> Bool
  ) async throws -> TerminationStatus {
    try await run(arguments, in: folder, by: .interrupt, once: isTime)
  }

  /// Runs with arguments in a folder and sends a signal as soon as something holds, so many times at once.
  func run(
    _ arguments: [String], in folder: String, by signal: Signal, times: Int = 1,
    once isTime: @Sendable () -> Bool
  ) async throws -> TerminationStatus {
    try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments),
      workingDirectory: FilePath(folder), input: .none, output: .discarded, error: .discarded
    ) { execution in
      for _ in 0..<600 where !isTime() {
        try await Task.sleep(for: .milliseconds(100))
      }
      for _ in 0..<times {
        try execution.send(signal: signal)
        try await Task.sleep(for: .milliseconds(20))
      }
    }.terminationStatus
  }

  /// Runs a line of bash in a folder.
  static func shell(_ command: String, in folder: String) async throws -> Outcome {
    try await Executable(path: "/bin/bash").run(["-c", command], in: folder)
  }

  private init(path: String) { self.path = path }
}
