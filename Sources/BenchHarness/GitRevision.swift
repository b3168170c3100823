import Subprocess

/// The revision of the sources in the current folder.
public enum GitRevision {
  /// The short commit id, with `-dirty` where files differ from it; nil outside a repository.
  public static func current() async -> String? {
    guard let commit = await git("rev-parse", "--short=12", "HEAD"), !commit.isEmpty else {
      return nil
    }
    let changes = await git("status", "--porcelain", "--untracked-files=no")
    return changes?.isEmpty == false ? commit + "-dirty" : commit
  }

  private static func git(_ arguments: String...) async -> String? {
    let result = try? await run(
      .name("git"), arguments: Arguments(arguments), output: .string(limit: 1 << 20))
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput.split(separator: "\n").joined(separator: "\n")
  }
}
