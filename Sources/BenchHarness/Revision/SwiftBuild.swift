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
  /// Where intermediate files go; it is shared by all revisions, so that their dependencies are built
  /// once.
  let scratch: String
  let flags: [String]
  /// Where swift is started. A launcher may choose the toolchain by the folder, and both sides need
  /// the same one.
  let folder: String

  /// What the compiler says of itself.
  ///
  /// - Throws: ``RevisionBuildError/swiftMissing``.
  func toolchain() async throws -> String {
    try await output(of: ["--version"]).output
  }

  /// The folder where the build puts its executable.
  func products(ofPackageAt path: String) async throws -> String? {
    let found = try await output(of: arguments(path) + ["--show-bin-path"])
    return found.succeeded ? found.line : nil
  }

  /// Builds, and gives every line to the log as it comes.
  ///
  /// The build holds the lock as well, by its standard input: should this process be killed, the next
  /// one waits until the compilers that it could not end have ended.
  ///
  /// - Returns: whether it built.
  /// - Throws: ``RevisionBuildError/swiftMissing``; `CancellationError` once nothing of the build
  ///   runs any more.
  func run(
    packageAt path: String, holding lock: CacheLock, log: BuildLog,
    progress: @escaping @Sendable (String) -> Void
  ) async throws -> Bool {
    let session = Mutex<pid_t?>(nil)
    do {
      let result = try await Subprocess.run(
        .name("swift"), arguments: Arguments(arguments(path)),
        environment: .inherit.updating(Git.noRepository), workingDirectory: FilePath(folder),
        platformOptions: Self.platformOptions,
        input: .fileDescriptor(
          FileDescriptor(rawValue: lock.descriptor), closeAfterSpawningProcess: false),
        output: .sequence, error: .combinedWithOutput
      ) { execution in
        session.withLock { $0 = execution.processIdentifier.value }
        for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
          await log.add(line)
          if Self.isProgress(line) { progress(line) }
        }
      }
      try Task.checkCancellation()
      return result.terminationStatus.isSuccess
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw RevisionBuildError.swiftMissing
    } catch {
      session.withLock { $0 }.map(ProcessSession.end)
      try Task.checkCancellation()
      throw error
    }
  }

  /// SwiftPM ends its compilers when it is interrupted, and abandons them when it is terminated. What
  /// is left after that is found by its session.
  private static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      .send(signal: .interrupt, allowedDurationToNextStep: .seconds(3)),
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(1)),
    ]
    return options
  }

  private func arguments(_ path: String) -> [String] {
    ["build", "-c", "release", "--product", product, "--package-path", path]
      // The plan of another revision would do but for files that are new in a package depended on
      // by path: those SwiftPM (6.3) does not look for.
      + ["--scratch-path", scratch, "--disable-build-manifest-caching"] + flags
  }

  private func output(of arguments: [String]) async throws -> Command.Output {
    let command = Command(
      name: "swift", arguments: arguments, folder: folder,
      environment: .inherit.updating(Git.noRepository))
    guard let output = try await command.run() else { throw RevisionBuildError.swiftMissing }
    return output
  }

  private static func isProgress(_ line: String) -> Bool {
    ["[", "Fetching ", "Building for "].contains { line.hasPrefix($0) }
  }
}
