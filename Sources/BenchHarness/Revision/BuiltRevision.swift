/// An executable of a commit.
public struct BuiltRevision: Hashable, Sendable {
  /// What it was built from.
  public let commit: Commit
  /// Its absolute path. It is kept until eight others have been used after it.
  public let executable: String
  /// Whether it was there already.
  public let wasCached: Bool
  /// How long it took to get it, waiting for another build included.
  public let seconds: Double
}
