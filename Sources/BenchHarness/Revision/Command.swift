import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A short command whose whole output is wanted. Its arguments reach it as they are: there is no
/// shell.
struct Command {
  /// The program's name, looked up in `PATH`.
  var name: String
  var arguments: [String]
  /// Where it runs; the current folder where nil.
  var folder: String?
  var environment: Subprocess.Environment = .inherit

  /// How a command ended, and what it said.
  struct Output: Sendable {
    var succeeded: Bool
    var output: String
    var errors: String

    /// The output without its last line break: a path may hold any other.
    var line: String { output.hasSuffix("\n") ? String(output.dropLast()) : output }
    /// The first line of what it complained of, without git's own prefix.
    var reason: String {
      let first = errors.split(separator: "\n").first.map(String.init) ?? "it gave no reason"
      for prefix in ["fatal: ", "error: "] where first.hasPrefix(prefix) {
        return String(first.dropFirst(prefix.count))
      }
      return first
    }
  }

  /// Runs it to its end; nil where there is no program of that name.
  ///
  /// - Throws: `CancellationError` where the task was cancelled, and what Subprocess throws.
  func run() async throws -> Output? {
    // A group of its own: Ctrl-C on a terminal reaches us, who then clean up.
    var options = PlatformOptions()
    options.processGroupID = 0
    do {
      let result = try await Subprocess.run(
        .name(name), arguments: Arguments(arguments), environment: environment,
        workingDirectory: folder.map { FilePath($0) }, platformOptions: options,
        output: .string(limit: 64 << 20), error: .string(limit: 1 << 20))
      try Task.checkCancellation()
      return Output(
        succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
        errors: result.standardError)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      return nil
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }
}
