import Basics
import BenchDocuments
import Foundation
import Subprocess
import Synchronization

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A release build of one product of a package.
struct SwiftBuild: Sendable {
  let product: String
  /// The folder of the package's files. All revisions share it, since moving files causes rebuilds.
  let package: String
  /// The folder for intermediate files. All revisions share it, so that dependencies are built only once.
  let scratch: String
  /// The package's folder in the user's checkout, where swift is started. A launcher may choose the
  /// toolchain by the folder, and both sides need the same one.
  let folder: String

  /// Sixteen hexadecimal digits that identify all that affects an executable except the commit. The
  /// user's dependency pins count, since commits without pins use them.
  ///
  /// - Throws: a `Refusal` if swift is not installed.
  func key() async throws -> String {
    var checksum = Checksum()
    checksum.add(try await output(of: ["--version"]).output)
    checksum.add(product)
    checksum.add(try? String(contentsOfFile: folder + Self.pins, encoding: .utf8))
    for name in Self.variables { checksum.add(ProcessInfo.processInfo.environment[name]) }
    return checksum.description
  }

  /// Copies the user's dependency pins to a commit without pins, so that both sides use the same.
  func pinDependencies() throws {
    let files = FileManager.default
    guard files.fileExists(atPath: folder + Self.pins),
      !files.fileExists(atPath: package + Self.pins)
    else { return }
    try files.copyItem(atPath: folder + Self.pins, toPath: package + Self.pins)
  }

  private static let pins = "Package.resolved"

  /// The environment variables that compilers and linkers read.
  private static let variables = [
    "CC", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH", "SDKROOT",
  ]

  /// Returns the folder of the built executable, or nil if the command fails.
  func products() async throws -> String? {
    let found = try await output(of: arguments + ["--show-bin-path"])
    return found.succeeded ? found.line : nil
  }

  /// Builds, and passes on each line of output as it arrives.
  ///
  /// The build inherits the lock as its standard input. If this process is killed, the next one
  /// waits until the remaining compilers have ended.
  ///
  /// - Returns: whether the build succeeded, and all lines of its output.
  /// - Throws: `CancellationError` once all processes of the build have ended.
  func run(
    holding lock: CacheLock, progress: @escaping @Sendable (String) -> Void
  ) async throws -> (isBuilt: Bool, lines: [String]) {
    let session = Mutex<pid_t?>(nil)
    do {
      let result = try await Subprocess.run(
        .name("swift"), arguments: Arguments(arguments),
        environment: .withoutRepository, workingDirectory: FilePath(folder),
        platformOptions: Self.platformOptions,
        input: .fileDescriptor(
          FileDescriptor(rawValue: lock.descriptor), closeAfterSpawningProcess: false),
        output: .sequence, error: .combinedWithOutput
      ) { execution in
        session.withLock { $0 = execution.processIdentifier.value }
        var lines: [String] = []
        for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
          lines.append(line)
          progress(line)
        }
        return lines
      }
      try Task.checkCancellation()
      return (result.terminationStatus.isSuccess, result.closureResult)
    } catch {
      session.withLock { $0 }.map(Self.end)
      try Task.checkCancellation()
      throw error
    }
  }

  /// SwiftPM ends its compilers if interrupted, but abandons them if terminated. Processes that
  /// survive, for example if a launcher dies of the interrupt, are found by their session.
  private static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      .send(signal: .interrupt, toProcessGroup: true, allowedDurationToNextStep: .seconds(3))
    ]
    return options
  }

  /// Kills all processes left in a session. A build tool puts each compiler into its own process
  /// group, so that only the session is common to all.
  private static func end(_ session: pid_t) {
    for process in processes() where getsid(process) == session { kill(process, SIGKILL) }
  }

  #if os(Linux)
    private static func processes() -> [pid_t] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { pid_t($0) }
    }
  #else
    private static func processes() -> [pid_t] {
      var list = [pid_t](repeating: 0, count: max(0, Int(proc_listallpids(nil, 0))) + 64)
      let count = proc_listallpids(&list, Int32(list.count * MemoryLayout<pid_t>.stride))
      return Array(list.prefix(max(0, Int(count))))
    }
  #endif

  private var arguments: [String] {
    ["build", "-c", "release", "--product", product, "--package-path", package]
      // Otherwise SwiftPM (6.3) would reuse another revision's plan, and miss new files in packages
      // that are dependencies by path.
      + ["--scratch-path", scratch, "--disable-build-manifest-caching"]
  }

  private func output(of arguments: [String]) async throws -> CommandOutput {
    try await CommandOutput.of("swift", arguments, in: folder, environment: .withoutRepository)
  }
}

/// The result of a short command.
package struct CommandOutput: Sendable {
  package let succeeded: Bool
  package let output: String
  package let errors: String

  /// Runs a command to its end. There is no shell, so its arguments arrive unchanged.
  ///
  /// - Parameters:
  ///   - program: Its name, looked up in `PATH`.
  ///   - folder: Its working directory, or nil for the current folder.
  /// - Throws: `CancellationError`, a `Refusal` if there is no such program, or what Subprocess throws.
  static func of(
    _ program: String, _ arguments: [String], in folder: String? = nil,
    environment: Subprocess.Environment
  ) async throws -> CommandOutput {
    // With its own process group, Ctrl-C reaches only this process, which then cleans up.
    var options = PlatformOptions()
    options.processGroupID = 0
    do {
      let result = try await Subprocess.run(
        .name(program), arguments: Arguments(arguments), environment: environment,
        workingDirectory: folder.map { FilePath($0) }, platformOptions: options,
        output: .string(limit: 64 << 20), error: .string(limit: 1 << 20))
      try Task.checkCancellation()
      return CommandOutput(
        succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
        errors: result.standardError)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw Refusal(
        "there is no \(program) here", help: "install it, and add its folder to PATH")
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  /// The output without its last line break. A path may contain other line breaks.
  var line: String { output.hasSuffix("\n") ? String(output.dropLast()) : output }
}
