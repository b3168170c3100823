import Basics
import Foundation
import Subprocess

/// A git repository with a working tree, seen from a folder inside it.
package struct GitRepository: Sendable {
  /// The top folder of the working tree, absolute and without symbolic links.
  package let topLevel: String
  /// The folder passed to `init(at:)`, absolute and without symbolic links.
  package let folder: String

  /// Finds the repository that a folder is in.
  ///
  /// - Throws: `CancellationError`, or a `Refusal` if there is none or git cannot be used.
  package init(at folder: String) async throws {
    let found = try await Self.run(["rev-parse", "--show-toplevel"], in: folder)
    // Git refuses a repository that another user owns, which is common in containers.
    if found.errors.contains("dubious ownership") {
      throw Refusal(
        "git does not trust \(folder), which belongs to another user",
        help: "git config --global --add safe.directory \(folder)")
    }
    // Git prints no line for a repository without a working tree, such as a bare one.
    guard found.succeeded, !found.line.isEmpty, let path = resolvedPath(folder) else {
      throw Self.nothing("\(folder) is not in a git repository")
    }
    topLevel = found.line
    self.folder = path
  }

  /// The path of the folder's Swift package, relative to the top level: the nearest folder at or above it that has a
  /// manifest. It is empty or ends in a slash. Nil if there is no package.
  package var packagePrefix: String? {
    var parts = folder.dropFirst(topLevel.count).split(separator: "/")
    while true {
      let path = parts.map { $0 + "/" }.joined()
      if FileManager.default.fileExists(atPath: "\(topLevel)/\(path)Package.swift") { return path }
      guard parts.popLast() != nil else { return nil }
    }
  }

  private static func nothing(_ words: String) -> Refusal {
    Refusal(
      words, help: "give an executable instead, or --baseline NAME", kind: .nothingToCompare)
  }
}

/// A commit, with the ref that it was asked for by.
package struct Commit: Hashable, Sendable, CustomStringConvertible {
  /// The full id, in hexadecimal digits.
  package let id: String
  /// The ref that named it, such as `HEAD~1` or `origin/main`.
  package let ref: String

  /// The ref with the first digits of the id, or only the digits if the id begins with the ref.
  package var description: String {
    id.hasPrefix(ref) ? String(id.prefix(12)) : "\(ref) (\(id.prefix(12)))"
  }
}

extension GitRepository {
  /// Finds the commit that a ref names: a branch, a tag, an id or its beginning, or any expression of
  /// gitrevisions(7). A ref may begin with a dash.
  ///
  /// - Throws: a `Refusal` if no commit or several match, or if the clone lacks history.
  package func resolve(_ ref: String) async throws -> Commit {
    // With an empty ref, git would see only `^{commit}`. A NUL would end the argument early.
    guard !ref.isEmpty, !ref.contains("\0") else { throw try await missing(ref) }
    let found = try await run(
      ["rev-parse", "--verify", "--end-of-options", ref + "^{commit}"])
    // Git accepts `^main` (everything except main), and prints it as `^` and an id.
    guard found.succeeded, found.line.allSatisfy(\.isHexDigit) else {
      guard found.errors.contains("is ambiguous") else { throw try await missing(ref) }
      throw Refusal(
        "'\(ref)' is the beginning of several ids", help: "give more digits",
        kind: .nothingToCompare)
    }
    return Commit(id: found.line, ref: ref)
  }

  /// Explains why there is no such commit. CI often clones only `origin/main`, without `main`.
  private func missing(_ ref: String) async throws -> Refusal {
    guard try await run(["rev-parse", "--verify", "--quiet", "HEAD"]).succeeded else {
      return Self.nothing("the repository of \(topLevel) has no commit yet")
    }
    let known = "git branch --all and git tag list valid names, such as origin/main"
    guard try await git("rev-parse", "--is-shallow-repository") == "true" else {
      return Refusal("there is no commit '\(ref)'", help: known, kind: .nothingToCompare)
    }
    return Refusal(
      "'\(ref)' is not in this clone, which lacks its history",
      help: "fetch all history, with 'fetch-depth: 0' in CI. " + known, kind: .nothingToCompare)
  }
}

extension GitRepository {
  /// Returns the short id of HEAD. Appends `-dirty` if tracked files differ or the package's sources contain
  /// untracked files, which are compiled too. Ignored files do not count.
  ///
  /// - Throws: a `Refusal`, also if there is no commit.
  package func describe() async throws -> String {
    let commit = try await git("rev-parse", "--short=12", "HEAD")
    let tracked = try await git("diff", "--no-ext-diff", "--name-only", "HEAD", "--")
    let untracked = try await git(
      "ls-files", "--others", "--exclude-standard", "--",
      ":(top,literal)\(packagePrefix ?? "")Sources")
    return tracked.isEmpty && untracked.isEmpty ? commit : commit + "-dirty"
  }

  /// Returns `describe()` for the current folder, or nil outside a repository.
  package static func currentRevision() async -> String? {
    try? await GitRepository(at: ".").describe()
  }
}

extension GitRepository {
  /// Checks out a commit into a second folder (git-worktree(1)) while `body` runs. Removes the folder afterwards,
  /// even after an error or cancellation.
  ///
  /// - Parameter path: The folder, absolute and without symbolic links, as git itself writes it.
  func withFiles<Value: Sendable>(
    of commit: Commit, at path: String, _ body: () async throws -> Value
  ) async throws -> Value {
    // A killed process may have left the folder or git's record of it. Either would be in the way.
    await removeWorktree(at: path)
    do {
      // The user's hooks are meant only for the user's own checkouts.
      _ = try await git(
        "-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", path, commit.id)
      let value = try await body()
      await removeWorktree(at: path)
      return value
    } catch {
      await removeWorktree(at: path)
      throw error
    }
  }

  /// Removes the files and git's record of them. `git worktree prune` would also forget other worktrees that are not
  /// mounted at the moment.
  private func removeWorktree(at path: String) async {
    // A cancelled task cannot start commands, so this is a new one.
    await Task {
      try? FileManager.default.removeItem(atPath: path)
      // Forced twice, since git locks a worktree that was interrupted while it was made.
      _ = try? await run(["worktree", "remove", "--force", "--force", path])
    }.value
  }
}

extension GitRepository {
  /// Runs git from the top level. A command that fails returns its output as well.
  package func run(_ arguments: [String]) async throws -> CommandOutput {
    try await Self.run(arguments, in: topLevel)
  }

  /// Returns the output of a command without its last line break. Throws if the command fails.
  private func git(_ arguments: String...) async throws -> String {
    let output = try await run(arguments)
    guard output.succeeded else {
      let reason = output.errors.split(separator: "\n").first ?? "it gave no reason"
      throw Refusal("git \(arguments.joined(separator: " ")): \(reason)")
    }
    return output.line
  }

  private static func run(
    _ arguments: [String], in folder: String
  ) async throws -> CommandOutput {
    try await CommandOutput.of("git", ["-C", folder] + arguments, environment: environment)
  }

  /// Messages are in English because some are parsed. Reading takes no locks, and git never asks for a password.
  private static let environment = Subprocess.Environment.withoutRepository
    .updating(["LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"])
}

extension Subprocess.Environment {
  /// Our environment without the variables that name a repository, so that the folder decides which one is used. A
  /// git hook that starts us sets these variables.
  static let withoutRepository = inherit.updating([
    "GIT_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil,
    "GIT_COMMON_DIR": nil, "GIT_IMPLICIT_WORK_TREE": nil,
  ])
}
