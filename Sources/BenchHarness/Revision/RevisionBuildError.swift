/// Why there is no executable of a revision.
public enum RevisionBuildError: Error, Hashable, Sendable {
  /// The folder belongs to no Swift package of the repository.
  case noPackage(folder: String)
  /// The commit has no Swift package where the checkout has one.
  case noPackageThen(commit: Commit, path: String)
  /// There is no program named swift.
  case swiftMissing
  /// The commit does not build: its last lines, and the file with all of them.
  case doesNotBuild(commit: Commit, lastLines: [String], log: String)
  /// Builds have nowhere to go.
  case unusableCache(path: String, reason: String)
}

extension RevisionBuildError: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .noPackage(let folder): "\(folder) belongs to no Swift package"
    case .noPackageThen(let commit, let path):
      "\(commit) has no Swift package in \(path.isEmpty ? "its top folder" : path)"
    case .swiftMissing: "there is no swift here"
    case .doesNotBuild(let commit, _, let log): "\(commit) does not build; see \(log)"
    case .unusableCache(let path, let reason): "\(path) cannot keep builds: \(reason)"
    }
  }
}

extension Commit: CustomStringConvertible {
  /// The ref, and the first digits of the id where the ref is not that itself.
  public var description: String {
    id.hasPrefix(ref) ? String(id.prefix(12)) : "\(ref) (\(id.prefix(12)))"
  }
}
