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
  /// Where the package's files are; one place for all revisions, since compilers rebuild what has moved.
  let package: String
  /// Where intermediate files go; it is shared by all revisions, so that their dependencies are built
  /// once.
  let scratch: String
  /// The package's folder as the user has it, where swift is started: a launcher may choose the
  /// toolchain by the folder, and both sides need the same one.
  let folder: String

  /// Sixteen hexadecimal digits of all but the commit that decides what an executable does, the pins for a commit that
  /// has none of its own with it: builds that differ in it are kept apart.
  ///
  /// - Throws: `Refusal` where there is no swift.
  func key() async throws -> String {
    var checksum = Checksum()
    checksum.add(try await output(of: ["--version"]).output)
    checksum.add(product)
    checksum.add(try? String(contentsOfFile: folder + Self.pins, encoding: .utf8))
    for name in Self.variables { checksum.add(ProcessInfo.processInfo.environment[name]) }
    return checksum.description
  }

  /// Both sides get the same versions of their dependencies, unless the commit says which it had.
  func pinDependencies() throws {
    let files = FileManager.default
    guard files.fileExists(atPath: folder + Self.pins),
      !files.fileExists(atPath: package + Self.pins)
    else { return }
    try files.copyItem(atPath: folder + Self.pins, toPath: package + Self.pins)
  }

  private static let pins = "Package.resolved"

  /// What compilers and linkers read of the environment.
  private static let variables = [
    "CC", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH", "SDKROOT",
  ]

  /// The folder where the build puts its executable.
  func products() async throws -> String? {
    let found = try await output(of: arguments + ["--show-bin-path"])
    return found.succeeded ? found.line : nil
  }

  /// Builds, and tells of every line as it comes.
  ///
  /// The build holds the lock as well, by its standard input: should this process be killed, the next
  /// one waits until the compilers that it could not end have ended.
  ///
  /// - Returns: whether it built, and all that it said.
  /// - Throws: `CancellationError` once nothing of the build runs any more.
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

  /// SwiftPM ends its compilers when it is interrupted, and abandons them when it is terminated. What
  /// is left after that, as of a launcher that dies of the interrupt alone, is found by its session.
  private static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      .send(signal: .interrupt, toProcessGroup: true, allowedDurationToNextStep: .seconds(3))
    ]
    return options
  }

  /// Ends what is left of a session at once: a build tool puts each compiler into a process group of its
  /// own, and the session is what they all share.
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
      // The plan of another revision would do but for files that are new in a package depended on
      // by path: those SwiftPM (6.3) does not look for.
      + ["--scratch-path", scratch, "--disable-build-manifest-caching"]
  }

  private func output(of arguments: [String]) async throws -> CommandOutput {
    try await CommandOutput.of("swift", arguments, in: folder, environment: .withoutRepository)
  }
}

/// How a short command ended, and what it said.
struct CommandOutput: Sendable {
  let succeeded: Bool
  let output: String
  let errors: String

  /// Runs a command to its end. Its arguments reach it as they are: there is no shell.
  ///
  /// - Parameters:
  ///   - program: its name, looked up in `PATH`.
  ///   - folder: where it runs; the current folder where nil.
  /// - Throws: `Refusal` where there is no program of that name; `CancellationError` where the task was
  ///   cancelled, and what Subprocess throws.
  static func of(
    _ program: String, _ arguments: [String], in folder: String? = nil,
    environment: Subprocess.Environment
  ) async throws -> CommandOutput {
    // A group of its own: Ctrl-C on a terminal reaches us, who then clean up.
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
        "there is no \(program) here", help: "install it, and see that PATH leads to it")
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  /// The output without its last line break: a path may hold any other.
  var line: String { output.hasSuffix("\n") ? String(output.dropLast()) : output }
}
