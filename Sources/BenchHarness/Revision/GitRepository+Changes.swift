extension GitRepository {
  /// The files whose content is not that of HEAD, by path from the top level: tracked ones that
  /// differ, and untracked ones among the package's sources, which are compiled as well. Ignored
  /// files do not count.
  ///
  /// - Throws: ``GitError``, where there is no commit, too.
  public func changes() async throws -> [String] {
    let tracked = try await git("diff", "--no-ext-diff", "--name-only", "-z", "HEAD", "--")
    let untracked = try await git(
      "ls-files", "--others", "--exclude-standard", "-z", "--",
      ":(top,literal)\(packagePrefix ?? "")Sources")
    return (tracked + untracked).split(separator: "\0").map(String.init)
  }

  /// The short id of HEAD, with `-dirty` where ``changes()`` has some.
  ///
  /// - Throws: ``GitError``, where there is no commit, too.
  public func describe() async throws -> String {
    let commit = try await git("rev-parse", "--short=12", "HEAD")
    return try await changes().isEmpty ? commit : commit + "-dirty"
  }
}
