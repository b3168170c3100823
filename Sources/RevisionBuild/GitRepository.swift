import Basics
import Foundation
import Subprocess

/// A git repository with files, seen from a folder inside it.
package struct GitRepository: Sendable {
  /// The folder of all its files, absolute and without symbolic links.
  package let topLevel: String
  /// The folder asked for, absolute and without symbolic links.
  package let folder: String

  /// The repository that a folder lies in.
  ///
  /// - Throws: `Refusal`, also where git trusts it not or is not there; `CancellationError`.
  package init(at folder: String) async throws {
    let found = try await Self.run(["rev-parse", "--show-toplevel"], in: folder)
    // Git refuses a repository that belongs to somebody else, as in a container.
    if found.errors.contains("dubious ownership") {
      throw Refusal(
        "git does not trust \(folder), which belongs to another user",
        help: "git config --global --add safe.directory \(folder)")
    }
    // There is no line of one without files, as a bare one is.
    guard found.succeeded, !found.line.isEmpty, let path = resolvedPath(folder) else {
      throw Self.nothing("\(folder) is in no git repository")
    }
    topLevel = found.line
    self.folder = path
  }

  /// The path, relative to the top level, of the Swift package that the folder belongs to: the
  /// nearest folder at or above it that has a manifest. Empty, or ending in a slash; nil where there
  /// is none.
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

/// A commit, and what it was called when it was asked for.
package struct Commit: Hashable, Sendable, CustomStringConvertible {
  /// Its whole id, in hexadecimal digits.
  package let id: String
  /// The ref that named it, such as `HEAD~1` or `origin/main`.
  package let ref: String

  /// The ref, and the first digits of the id where the ref is not that itself.
  package var description: String {
    id.hasPrefix(ref) ? String(id.prefix(12)) : "\(ref) (\(id.prefix(12)))"
  }
}

extension GitRepository {
  /// The commit that a ref names: a branch, a tag, an id or its beginning, or any of git's
  /// expressions, as gitrevisions(7) has them. What begins with a dash is a ref, too.
  ///
  /// - Throws: `Refusal`: no commits, no such ref, an ambiguous one, or a clone without history.
  package func resolve(_ ref: String) async throws -> Commit {
    // Git would take no name for an expression of its own, and the system ends a text at a NUL.
    guard !ref.isEmpty, !ref.contains("\0") else { throw try await missing(ref) }
    let found = try await run(
      ["rev-parse", "--verify", "--end-of-options", ref + "^{commit}"])
    // `^main` is an expression as well: everything but main.
    guard found.succeeded, found.line.allSatisfy(\.isHexDigit) else {
      guard found.errors.contains("is ambiguous") else { throw try await missing(ref) }
      throw Refusal(
        "'\(ref)' is the beginning of several ids", help: "give more digits",
        kind: .nothingToCompare)
    }
    return Commit(id: found.line, ref: ref)
  }

  /// Why there is no such commit: `main` may only be there as `origin/main`, which is how CI clones.
  private func missing(_ ref: String) async throws -> Refusal {
    guard try await run(["rev-parse", "--verify", "--quiet", "HEAD"]).succeeded else {
      return Self.nothing("the repository of \(topLevel) has no commit yet")
    }
    let known = "git branch --all and git tag list the names there are, such as origin/main"
    guard try await git("rev-parse", "--is-shallow-repository") == "true" else {
      return Refusal("there is no commit '\(ref)'", help: known, kind: .nothingToCompare)
    }
    return Refusal(
      "'\(ref)' is not in this clone, which lacks its history",
      help: "fetch it all, with 'fetch-depth: 0' in CI; " + known, kind: .nothingToCompare)
  }
}

extension GitRepository {
  /// The short id of HEAD, with `-dirty` where tracked files differ from it, or untracked ones are among
  /// the package's sources, which are compiled as well. Ignored files do not count.
  ///
  /// - Throws: `Refusal`, where there is no commit, too.
  package func describe() async throws -> String {
    let commit = try await git("rev-parse", "--short=12", "HEAD")
    let tracked = try await git("diff", "--no-ext-diff", "--name-only", "HEAD", "--")
    let untracked = try await git(
      "ls-files", "--others", "--exclude-standard", "--",
      ":(top,literal)\(packagePrefix ?? "")Sources")
    return tracked.isEmpty && untracked.isEmpty ? commit : commit + "-dirty"
  }

  /// The same of the sources in the current folder; nil outside of a repository.
  package static func currentRevision() async -> String? {
    try? await GitRepository(at: ".").describe()
  }
}

extension GitRepository {
  /// Lends the files of a commit in a second folder (git-worktree(1)), and takes them away whatever
  /// comes of it, cancellation too.
  ///
  /// - Parameter path: absolute and without symbolic links, as git itself writes it.
  func withFiles<Value: Sendable>(
    of commit: Commit, at path: String, _ body: () async throws -> Value
  ) async throws -> Value {
    // What a killed process left would be in the way, even where only git remembers it.
    await removeWorktree(at: path)
    do {
      // Hooks are the user's, for the user's own checkouts.
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

  /// Removes the files and git's note of them. It forgets only this worktree: `git worktree prune`
  /// would also forget those of others that are not mounted just now.
  private func removeWorktree(at path: String) async {
    // A cancelled task could start no command.
    await Task {
      try? FileManager.default.removeItem(atPath: path)
      // Twice forced: a worktree whose making was interrupted is locked.
      _ = try? await run(["worktree", "remove", "--force", "--force", path])
    }.value
  }
}

extension GitRepository {
  /// Runs git from the top level; a command that fails is an output, too.
  private func run(_ arguments: [String]) async throws -> CommandOutput {
    try await Self.run(arguments, in: topLevel)
  }

  /// The output of a command that must succeed, without its last line break.
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

  /// Messages are in English, since some are read; looking takes no locks, and nobody is asked for a
  /// password.
  private static let environment = Subprocess.Environment.withoutRepository
    .updating(["LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"])
}

extension Subprocess.Environment {
  /// Ours without what names a repository: the folder decides which one is meant, even where a hook of
  /// git's started us, which names its own.
  static let withoutRepository = inherit.updating([
    "GIT_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil,
    "GIT_COMMON_DIR": nil, "GIT_IMPLICIT_WORK_TREE": nil,
  ])
}
