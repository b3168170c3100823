import Basics
import Foundation
import Subprocess

/// A git repository with files, seen from a folder inside it.
package struct GitRepository: Sendable {
  /// The folder of all its files, absolute and without symbolic links.
  package let topLevel: String
  /// The folder asked for, relative to the top level; empty, or ending in a slash.
  package let prefix: String

  /// The repository that a folder lies in.
  ///
  /// - Throws: ``GitError/notARepository(folder:)``, ``GitError/notTrusted(folder:)`` or
  ///   ``GitError/gitMissing``.
  package init(at folder: String) async throws {
    let found = try await Self.run(["rev-parse", "--show-toplevel"], in: folder)
    guard found.succeeded, !found.line.isEmpty else {
      throw found.errors.contains("dubious ownership")
        ? GitError.notTrusted(folder: folder) : GitError.notARepository(folder: folder)
    }
    topLevel = found.line
    let below = try await Self.run(["rev-parse", "--show-prefix"], in: folder)
    guard below.succeeded else { throw GitError.notARepository(folder: folder) }
    prefix = below.line
  }

  /// The path, relative to the top level, of the Swift package that the folder belongs to: the
  /// nearest folder at or above it that has a manifest. Empty, or ending in a slash; nil where there
  /// is none.
  package var packagePrefix: String? {
    var parts = prefix.split(separator: "/")
    while true {
      let path = parts.map { $0 + "/" }.joined()
      if FileManager.default.fileExists(atPath: "\(topLevel)/\(path)Package.swift") { return path }
      guard parts.popLast() != nil else { return nil }
    }
  }
}

/// A commit, and what it was called when it was asked for.
package struct Commit: Hashable, Sendable {
  /// Its whole id, in hexadecimal digits.
  package let id: String
  /// The ref that named it, such as `HEAD~1` or `origin/main`.
  package let ref: String

  package init(id: String, ref: String) {
    self.id = id
    self.ref = ref
  }
}

extension Commit: CustomStringConvertible {
  /// The ref, and the first digits of the id where the ref is not that itself.
  package var description: String {
    id.hasPrefix(ref) ? String(id.prefix(12)) : "\(ref) (\(id.prefix(12)))"
  }
}

extension GitRepository {
  /// The commit that a ref names: a branch, a tag, an id or its beginning, or any of git's
  /// expressions, as gitrevisions(7) has them. What begins with a dash is a ref, too.
  ///
  /// - Throws: ``GitError``: no commits, no such ref, an ambiguous one, or a clone without history.
  package func resolve(_ ref: String) async throws -> Commit {
    // Git would take no name for an expression of its own, and the system ends a text at a NUL.
    guard !ref.isEmpty, !ref.contains("\0") else { throw try await missing(ref) }
    let found = try await run(
      ["rev-parse", "--verify", "--end-of-options", ref + "^{commit}"])
    // `^main` is an expression as well: everything but main.
    guard found.succeeded, Self.isID(found.line) else {
      if found.errors.contains("is ambiguous") { throw GitError.ambiguous(ref: ref) }
      throw try await missing(ref)
    }
    return Commit(id: found.line, ref: ref)
  }

  /// The names of branches, tags and remote branches, those with the newest commits first.
  package func refs() async throws -> [String] {
    let names = try await git(
      "for-each-ref", "--sort=-committerdate", "--format=%(refname:lstrip=2)",
      "refs/heads", "refs/tags", "refs/remotes")
    return names.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("/HEAD") }
  }

  /// Why there is no such commit. Nobody has use for a thousand names.
  private func missing(_ ref: String) async throws -> GitError {
    guard try await run(["rev-parse", "--verify", "--quiet", "HEAD"]).succeeded else {
      return .noCommits(folder: topLevel)
    }
    let refs = Array(Self.likeliestFirst(try await refs(), for: ref).prefix(20))
    let isShallow = try await git("rev-parse", "--is-shallow-repository") == "true"
    return isShallow ? .notInShallowClone(ref: ref, refs: refs) : .noSuchRef(ref: ref, refs: refs)
  }

  /// `main` may only be there as `origin/main`, which is how CI clones.
  private static func likeliestFirst(_ refs: [String], for ref: String) -> [String] {
    let likely = refs.filter { $0.hasSuffix("/" + ref) }
    return likely + refs.filter { !likely.contains($0) }
  }

  /// SHA-1 has 40 digits, SHA-256 64.
  private static func isID(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.allSatisfy(\.isHexDigit)
  }
}

extension GitRepository {
  /// The files whose content is not that of HEAD, by path from the top level: tracked ones that
  /// differ, and untracked ones among the package's sources, which are compiled as well. Ignored
  /// files do not count.
  ///
  /// - Throws: ``GitError``, where there is no commit, too.
  package func changes() async throws -> [String] {
    let tracked = try await git("diff", "--no-ext-diff", "--name-only", "-z", "HEAD", "--")
    let untracked = try await git(
      "ls-files", "--others", "--exclude-standard", "-z", "--",
      ":(top,literal)\(packagePrefix ?? "")Sources")
    return (tracked + untracked).split(separator: "\0").map(String.init)
  }

  /// The short id of HEAD, with `-dirty` where ``changes()`` has some.
  ///
  /// - Throws: ``GitError``, where there is no commit, too.
  package func describe() async throws -> String {
    let commit = try await git("rev-parse", "--short=12", "HEAD")
    return try await changes().isEmpty ? commit : commit + "-dirty"
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
  func removeWorktree(at path: String) async {
    // A cancelled task could start no command.
    await Task {
      // Twice forced: a worktree whose making was interrupted is locked.
      let arguments = ["worktree", "remove", "--force", "--force", path]
      let isDone = (try? await run(arguments))?.succeeded ?? false
      try? FileManager.default.removeItem(atPath: path)
      if !isDone { _ = try? await run(arguments) }
    }.value
  }
}

extension GitRepository {
  /// Runs git from the top level; a command that fails is an output, too.
  ///
  /// - Throws: ``GitError/gitMissing``; `CancellationError`.
  private func run(_ arguments: [String]) async throws -> CommandOutput {
    try await Self.run(arguments, in: topLevel)
  }

  /// The output of a command that must succeed, without its last line break.
  ///
  /// - Throws: ``GitError/failed(command:reason:)`` where it does not.
  private func git(_ arguments: String...) async throws -> String {
    let output = try await run(arguments)
    guard output.succeeded else {
      throw GitError.failed(
        command: "git " + arguments.joined(separator: " "), reason: output.reason)
    }
    return output.line
  }

  private static func run(
    _ arguments: [String], in folder: String
  ) async throws -> CommandOutput {
    guard
      let output = try await CommandOutput.of(
        "git", ["-C", folder] + arguments, environment: environment)
    else { throw GitError.gitMissing }
    return output
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

/// Why a repository, or something in it, cannot be had.
package enum GitError: Error, Hashable, Sendable {
  case gitMissing
  /// The folder lies in no repository, or in one without files, as a bare one is.
  case notARepository(folder: String)
  /// Git refuses a repository that belongs to somebody else, as in a container: it wants the
  /// folder listed in `safe.directory`.
  case notTrusted(folder: String)
  case noCommits(folder: String)
  /// Nothing is named so; with the refs there are, the likeliest first.
  case noSuchRef(ref: String, refs: [String])
  /// The abbreviated id belongs to several objects.
  case ambiguous(ref: String)
  /// Not found in a clone without its history, as CI makes one by default: whether it exists is
  /// unknown. `fetch-depth: 0` gets it all.
  case notInShallowClone(ref: String, refs: [String])
  /// A git command failed for another reason, which is git's own.
  case failed(command: String, reason: String)
}

extension GitError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .gitMissing: "there is no git here"
    case .notARepository(let folder): "\(folder) is in no git repository"
    case .notTrusted(let folder): "git does not trust \(folder), which belongs to another user"
    case .noCommits(let folder): "the repository of \(folder) has no commit yet"
    case .noSuchRef(let ref, _): "there is no commit '\(ref)'"
    case .ambiguous(let ref): "'\(ref)' is the beginning of several ids"
    case .notInShallowClone(let ref, _): "'\(ref)' is not in this clone, which lacks its history"
    case .failed(let command, let reason): "\(command): \(reason)"
    }
  }
}

extension GitError: UserFacingError {
  package var help: String? {
    switch self {
    case .noSuchRef(let ref, let refs): Self.known(refs, like: ref)
    case .notInShallowClone(let ref, let refs):
      "fetch it all, with 'fetch-depth: 0' in CI; " + Self.known(refs, like: ref)
    case .ambiguous: "give more digits"
    case .notTrusted(let folder): "git config --global --add safe.directory \(folder)"
    case .notARepository, .noCommits: "give an executable instead, or --baseline NAME"
    case .gitMissing: "install git"
    case .failed: nil
    }
  }

  package var kind: FailureKind {
    switch self {
    case .noSuchRef, .notInShallowClone, .ambiguous, .notARepository, .noCommits: .nothingToCompare
    case .notTrusted, .gitMissing, .failed: .failed
    }
  }

  private static func known(_ refs: [String], like ref: String) -> String {
    guard !refs.isEmpty else { return "there are no branches or tags" }
    return NearestMatch.hint(ref, among: refs)
      + "there are \(refs.prefix(12).joined(separator: ", "))"
  }
}
