/// Why a repository, or something in it, cannot be had.
public enum GitError: Error, Hashable, Sendable {
  /// There is no program named git.
  case gitMissing
  /// The folder lies in no repository, or in one without files, as a bare one is.
  case notARepository(folder: String)
  /// Git refuses a repository that belongs to somebody else, as in a container: it wants the
  /// folder listed in `safe.directory`.
  case notTrusted(folder: String)
  /// The repository has no commit yet.
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
  /// One line.
  public var description: String {
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
