/// The revision of the sources in the current folder.
public enum GitRevision {
  /// The short commit id, with `-dirty` where files differ from it; nil outside a repository.
  public static func current() async -> String? {
    try? await GitRepository(at: ".").describe()
  }
}
