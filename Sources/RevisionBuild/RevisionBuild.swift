import Foundation

/// Builds commits of a package, each once, away from the user's files.
///
/// All it makes is in its cache folder, and git's note of a worktree while it builds. Builds of
/// several processes take turns.
public struct RevisionBuild: Sendable {
  /// The folder of all it makes.
  public var cacheFolder: String { cache.path }

  private let cache: ExecutableCache
  private let build: SwiftBuild
  private let worktree: Worktree
  private let package: Package

  /// Where the package is: its folder, and the same relative to the repository's top level.
  private struct Package {
    var folder: String
    var prefix: String
  }

  /// Builds a product of the package that the repository was asked for from, with further flags of
  /// `swift build`; in `.build/gate` of the package where no other folder is given.
  ///
  /// - Throws: ``RevisionBuildError/noPackage(folder:)`` or
  ///   ``RevisionBuildError/unusableCache(path:reason:)``.
  public init(
    of repository: GitRepository, product: String, flags: [String] = [], cache: String? = nil
  ) throws {
    guard let prefix = repository.packagePrefix else {
      throw RevisionBuildError.noPackage(folder: repository.topLevel + "/" + repository.prefix)
    }
    let folder = repository.topLevel + "/" + prefix
    package = Package(folder: folder, prefix: prefix)
    self.cache = try ExecutableCache(path: cache ?? folder + ".build/gate")
    worktree = Worktree(git: repository.git, path: self.cache.tree)
    build = SwiftBuild(
      product: product, scratch: self.cache.scratch, flags: flags, folder: folder)
  }

  /// The executable of a commit, from the cache or built now, which may take minutes.
  ///
  /// - Parameters:
  ///   - progress: is given the build's own progress, a line such as `[12/90] Compiling` at a time.
  ///   - waiting: is called once where another process builds and is waited for.
  /// - Throws: ``RevisionBuildError``, ``GitError``, or `CancellationError`; nothing is left behind
  ///   but the log of a commit that does not build.
  public func executable(
    for commit: Commit, progress: @escaping @Sendable (String) -> Void = { _ in },
    waiting: @Sendable () -> Void = {}
  ) async throws -> BuiltRevision {
    let start = ContinuousClock.now
    func found(_ executable: String, wasCached: Bool) -> BuiltRevision {
      BuiltRevision(
        commit: commit, executable: executable, wasCached: wasCached,
        seconds: start.duration(to: .now) / .seconds(1))
    }
    let entry = try await entry(of: commit)
    try await sweep()
    if let executable = cache.executable(build.product, of: entry) {
      return found(executable, wasCached: true)
    }
    let lock = try await CacheLock.wait(cache.path, waiting: waiting)
    defer { withExtendedLifetime(lock) {} }
    // The one that was waited for may have built the same.
    if let executable = cache.executable(build.product, of: entry) {
      return found(executable, wasCached: true)
    }
    let executable = try await worktree.withFiles(of: commit) {
      try await make(commit, as: entry, holding: lock, progress: progress)
    }
    cache.trim()
    return found(executable, wasCached: false)
  }

  private func entry(of commit: Commit) async throws -> String {
    let key = BuildKey(
      toolchain: try await build.toolchain(), product: build.product, flags: build.flags,
      pins: try? String(contentsOfFile: package.folder + Self.pins, encoding: .utf8))
    return "\(commit.id)-\(key.digits)"
  }

  /// Removes what a killed process left, unless one is building.
  private func sweep() async throws {
    guard cache.hasLeftovers, let lock = try CacheLock.attempt(cache.path) else { return }
    await worktree.remove()
    cache.removePartials()
    withExtendedLifetime(lock) {}
  }

  private func make(
    _ commit: Commit, as entry: String, holding lock: CacheLock,
    progress: @escaping @Sendable (String) -> Void
  ) async throws -> String {
    let path = worktree.path + "/" + package.prefix
    guard FileManager.default.fileExists(atPath: path + "Package.swift") else {
      throw RevisionBuildError.noPackageThen(commit: commit, path: package.prefix)
    }
    try pinDependencies(in: path)
    let log = try BuildLog(path: cache.log(of: commit))
    let products: String?
    do {
      products =
        try await build.run(packageAt: path, holding: lock, log: log, progress: progress)
        ? try await build.products(ofPackageAt: path) : nil
    } catch {
      await log.discard()
      throw error
    }
    guard let products else {
      throw RevisionBuildError.doesNotBuild(
        commit: commit, lastLines: await log.lastLines, log: log.path)
    }
    await log.discard()
    return try cache.store(build.product, from: products, as: entry)
  }

  /// Both sides get the same versions of their dependencies, unless the commit says which it had.
  private func pinDependencies(in path: String) throws {
    let files = FileManager.default
    guard files.fileExists(atPath: package.folder + Self.pins),
      !files.fileExists(atPath: path + Self.pins)
    else { return }
    try ExecutableCache.explaining(path) {
      try files.copyItem(atPath: package.folder + Self.pins, toPath: path + Self.pins)
    }
  }

  private static let pins = "Package.resolved"
}

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
