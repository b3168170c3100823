import Foundation

/// A second place where git keeps the files of a commit (git-worktree(1)).
struct Worktree: Sendable {
  let git: Git
  /// Absolute and without symbolic links, as git itself writes it.
  let path: String

  /// Lends the files of a commit, and takes them away whatever comes of it, cancellation too.
  func withFiles<Value: Sendable>(
    of commit: Commit, _ body: () async throws -> Value
  ) async throws -> Value {
    // What a killed process left would be in the way, even where only git remembers it.
    await remove()
    do {
      try await add(commit)
      let value = try await body()
      await remove()
      return value
    } catch {
      await remove()
      throw error
    }
  }

  /// Removes the files and git's note of them. It forgets only this worktree: `git worktree prune`
  /// would also forget those of others that are not mounted just now.
  func remove() async {
    // A cancelled task could start no command.
    await Task {
      // Twice forced: a worktree whose making was interrupted is locked.
      let arguments = ["worktree", "remove", "--force", "--force", path]
      let isDone = (try? await git.attempt(arguments))?.succeeded ?? false
      try? FileManager.default.removeItem(atPath: path)
      if !isDone { _ = try? await git.attempt(arguments) }
    }.value
  }

  /// Hooks are the user's, for the user's own checkouts.
  private func add(_ commit: Commit) async throws {
    _ = try await git(
      "-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", path, commit.id)
  }
}
