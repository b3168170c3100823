import Basics
import Foundation

/// Builds commits of a package, each once, away from the user's files.
///
/// All it makes is in its cache folder, and git's note of a worktree while it builds. Builds of
/// several processes take turns.
package struct RevisionBuild: Sendable {
  package var cacheFolder: String { cache.path }

  private let repository: GitRepository
  private let cache: ExecutableCache
  private let build: SwiftBuild
  /// The package's folder, relative to the repository's top level.
  private let prefix: String

  /// Builds a product of the package that the repository was asked for from, in `.build/gate` of it.
  ///
  /// - Throws: ``RevisionBuildError/noPackage(folder:)`` or
  ///   ``RevisionBuildError/unusableCache(path:reason:)``.
  package init(of repository: GitRepository, product: String) throws {
    guard let prefix = repository.packagePrefix else {
      throw RevisionBuildError.noPackage(folder: repository.topLevel + "/" + repository.prefix)
    }
    let folder = repository.topLevel + "/" + prefix
    self.repository = repository
    self.prefix = prefix
    cache = try ExecutableCache(path: folder + ".build/gate")
    build = SwiftBuild(product: product, scratch: cache.scratch, folder: folder)
  }

  /// The executable of a commit, from the cache or built now, which may take minutes.
  ///
  /// - Parameters:
  ///   - progress: is given every line that the build says.
  ///   - waiting: is called once where another process builds and is waited for.
  /// - Throws: ``RevisionBuildError``, ``GitError``, or `CancellationError`; nothing is left behind
  ///   but the log of a commit that does not build.
  package func executable(
    for commit: Commit, progress: @escaping @Sendable (String) -> Void = { _ in },
    waiting: @Sendable () -> Void = {}
  ) async throws -> BuiltRevision {
    let start = ContinuousClock.now
    let entry = try await entry(of: commit)
    func found(wasCached: Bool) -> BuiltRevision? {
      cache.executable(build.product, of: entry).map {
        BuiltRevision(
          commit: commit, executable: $0, wasCached: wasCached,
          seconds: start.duration(to: .now) / .seconds(1))
      }
    }
    if let found = found(wasCached: true) { return found }
    let lock = try await CacheLock(cache.path, waiting: waiting)
    defer { withExtendedLifetime(lock) {} }
    // The one that was waited for may have built the same.
    if let found = found(wasCached: true) { return found }
    cache.removePartials()
    try await repository.withFiles(of: commit, at: cache.tree) {
      try await make(commit, as: entry, holding: lock, progress: progress)
    }
    cache.trim()
    guard let found = found(wasCached: false) else {
      throw RevisionBuildError.unusableCache(path: cache.path, reason: "what was built is gone")
    }
    return found
  }

  private func entry(of commit: Commit) async throws -> String {
    let pins = try? String(contentsOfFile: build.folder + Self.pins, encoding: .utf8)
    return "\(commit.id)-\(try await build.key(pins: pins))"
  }

  private func make(
    _ commit: Commit, as entry: String, holding lock: CacheLock,
    progress: @escaping @Sendable (String) -> Void
  ) async throws {
    let path = cache.tree + "/" + prefix
    guard FileManager.default.fileExists(atPath: path + "Package.swift") else {
      throw RevisionBuildError.noPackageThen(commit: commit, path: prefix)
    }
    try pinDependencies(in: path)
    let (isBuilt, lines) = try await build.run(
      packageAt: path, holding: lock, progress: progress)
    guard isBuilt, let products = try await build.products(ofPackageAt: path) else {
      let log = cache.log(of: commit)
      // A full disk must not hide why it failed.
      try? Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: log))
      throw RevisionBuildError.doesNotBuild(
        commit: commit, lastLines: lines.suffix(30), log: log)
    }
    try cache.store(build.product, from: products, as: entry)
  }

  /// Both sides get the same versions of their dependencies, unless the commit says which it had.
  private func pinDependencies(in path: String) throws {
    let files = FileManager.default
    guard files.fileExists(atPath: build.folder + Self.pins),
      !files.fileExists(atPath: path + Self.pins)
    else { return }
    try ExecutableCache.explaining(path) {
      try files.copyItem(atPath: build.folder + Self.pins, toPath: path + Self.pins)
    }
  }

  private static let pins = "Package.resolved"
}

/// Why there is no executable of a revision.
package enum RevisionBuildError: Error, Hashable, Sendable {
  case noPackage(folder: String)
  case noPackageThen(commit: Commit, path: String)
  case swiftMissing
  /// The commit does not build: its last lines, and the file with all of them.
  case doesNotBuild(commit: Commit, lastLines: [String], log: String)
  case unusableCache(path: String, reason: String)
}

extension RevisionBuildError: CustomStringConvertible {
  package var description: String {
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

extension RevisionBuildError: UserFacingError {
  /// The description, with the end of the log of what does not build.
  package var message: String {
    guard case .doesNotBuild(_, let lines, _) = self else { return description }
    return ([description] + lines).joined(separator: "\n")
  }

  package var help: String? {
    switch self {
    case .noPackage, .noPackageThen:
      "run the gate from the package's folder, or give an executable"
    case .swiftMissing: "https://www.swift.org/install"
    case .doesNotBuild, .unusableCache: nil
    }
  }

  package var kind: FailureKind {
    switch self {
    case .doesNotBuild, .noPackage, .noPackageThen: .unmeasured
    case .swiftMissing, .unusableCache: .failed
    }
  }
}

/// An executable of a commit.
package struct BuiltRevision: Hashable, Sendable {
  package let commit: Commit
  /// Its absolute path. It is kept until eight others have been used after it.
  package let executable: String
  package let wasCached: Bool
  /// How long it took to get it, waiting for another build included.
  package let seconds: Double
}
