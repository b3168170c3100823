import Subprocess

/// Runs git in a folder.
struct Git: Sendable {
  let folder: String

  /// Runs git; a command that fails is an output, too.
  ///
  /// - Throws: ``GitError/gitMissing``; `CancellationError`.
  func attempt(_ arguments: [String]) async throws -> Command.Output {
    let command = Command(
      name: "git", arguments: ["-C", folder] + arguments, environment: Self.environment)
    guard let output = try await command.run() else { throw GitError.gitMissing }
    return output
  }

  /// The output of a command that must succeed, without its last line break.
  ///
  /// - Throws: ``GitError/failed(command:reason:)`` where it does not.
  func callAsFunction(_ arguments: String...) async throws -> String {
    let output = try await attempt(arguments)
    guard output.succeeded else {
      throw GitError.failed(
        command: "git " + arguments.joined(separator: " "), reason: output.reason)
    }
    return output.line
  }

  /// The folder decides which repository is meant, even where a hook of git's started us, which
  /// names its own. These are removed from a command's
  /// environment.
  static let noRepository: [Subprocess.Environment.Key: String?] = [
    "GIT_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil,
    "GIT_COMMON_DIR": nil, "GIT_IMPLICIT_WORK_TREE": nil,
  ]

  /// Messages are in English, since some are read; looking takes no locks, and nobody is asked for a
  /// password.
  private static let environment = Subprocess.Environment.inherit
    .updating(noRepository)
    .updating(["LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"])
}
