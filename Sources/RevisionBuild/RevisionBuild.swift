import Basics
import Foundation

/// Builds commits of a package, each once, without touching the user's files.
///
/// Writes only to its cache folder, except for git's record of a worktree during a build. Processes
/// that build at the same time take turns.
package struct RevisionBuild: Sendable {
  package var cacheFolder: String { cache.path }

  private let repository: GitRepository
  private let cache: ExecutableCache
  private let build: SwiftBuild
  /// The package's folder, relative to the repository's top level.
  private let prefix: String

  /// Prepares to build a product of the folder's package, and keeps builds in its `.build/gate`.
  ///
  /// - Throws: a `Refusal` if there is no package, or if builds cannot be kept.
  package init(of repository: GitRepository, product: String) throws {
    guard let prefix = repository.packagePrefix else {
      throw Self.nothing("\(repository.folder) is not in a Swift package")
    }
    let folder = repository.topLevel + "/" + prefix
    self.repository = repository
    self.prefix = prefix
    cache = try ExecutableCache(path: folder + ".build/gate")
    build = SwiftBuild(
      product: product, package: "\(cache.path)/tree/\(prefix)", scratch: cache.path + "/scratch",
      folder: folder)
  }

  private static func nothing(_ words: String) -> Refusal {
    Refusal(
      words, help: "run the gate from the package's folder, or give an executable",
      kind: .unmeasured)
  }

  /// Whether a line of a build's output reports progress.
  package static func isProgress(_ line: String) -> Bool {
    ["[", "Fetching ", "Building for "].contains { line.hasPrefix($0) }
  }

  /// Returns the executable of a commit from the cache, or builds it now, which may take minutes.
  ///
  /// - Parameters:
  ///   - progress: Called with every line of the build's output.
  ///   - waiting: Called once if another process is building and has to be waited for.
  /// - Returns: the absolute path, which is valid until eight other executables have been used.
  /// - Throws: `Refusal` or `CancellationError`.
  package func executable(
    for commit: Commit, progress: @escaping @Sendable (String) -> Void = { _ in },
    waiting: @Sendable () -> Void = {}
  ) async throws -> (path: String, wasCached: Bool) {
    let entry = "\(commit.id)-\(try await build.key())"
    func found() -> String? { cache.executable(build.product, of: entry) }
    if let path = found() { return (path, true) }
    let lock = try await CacheLock(cache.path, waiting: waiting)
    defer { withExtendedLifetime(lock) {} }
    // The process that was waited for may have built the same commit.
    if let path = found() { return (path, true) }
    try await repository.withFiles(of: commit, at: cache.path + "/tree") {
      try await make(commit, as: entry, holding: lock, progress: progress)
    }
    cache.trim()
    guard let path = found() else {
      throw ExecutableCache.unusable(cache.path, "the executable is gone")
    }
    return (path, false)
  }

  private func make(
    _ commit: Commit, as entry: String, holding lock: CacheLock,
    progress: @escaping @Sendable (String) -> Void
  ) async throws {
    guard FileManager.default.fileExists(atPath: build.package + "Package.swift") else {
      throw Self.nothing(
        "\(commit) has no Swift package in \(prefix.isEmpty ? "its top folder" : prefix)")
    }
    try ExecutableCache.explaining(build.package) { try build.pinDependencies() }
    let (isBuilt, lines) = try await build.run(holding: lock, progress: progress)
    guard isBuilt, let products = try await build.products() else {
      let errors = lines.filter { $0.contains("error:") }.distinct
      let said = errors.isEmpty ? lines.suffix(5) : errors.prefix(5)
      throw Refusal(
        "\(commit) does not build: \(said.joined(separator: "; "))",
        help: "--verbose shows the whole output of the build", kind: .unmeasured)
    }
    try cache.store(build.product, from: products, as: entry)
  }
}
