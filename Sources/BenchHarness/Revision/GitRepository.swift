import Foundation

/// A git repository with files, seen from a folder inside it.
public struct GitRepository: Sendable {
  /// The folder of all its files, absolute and without symbolic links.
  public let topLevel: String
  /// The folder asked for, relative to the top level; empty, or ending in a slash.
  public let prefix: String
  let git: Git

  /// The repository that a folder lies in.
  ///
  /// - Throws: ``GitError/notARepository(folder:)``, ``GitError/notTrusted(folder:)`` or
  ///   ``GitError/gitMissing``.
  public init(at folder: String) async throws {
    let found = try await Git(folder: folder).attempt(["rev-parse", "--show-toplevel"])
    guard found.succeeded, !found.line.isEmpty else {
      throw found.errors.contains("dubious ownership")
        ? GitError.notTrusted(folder: folder) : GitError.notARepository(folder: folder)
    }
    topLevel = found.line
    prefix = try await Git(folder: folder)("rev-parse", "--show-prefix")
    git = Git(folder: topLevel)
  }

  /// The path, relative to the top level, of the Swift package that the folder belongs to: the
  /// nearest folder at or above it that has a manifest. Empty, or ending in a slash; nil where there
  /// is none.
  public var packagePrefix: String? {
    var parts = prefix.split(separator: "/")
    while true {
      let path = parts.map { $0 + "/" }.joined()
      if FileManager.default.fileExists(atPath: "\(topLevel)/\(path)Package.swift") { return path }
      guard parts.popLast() != nil else { return nil }
    }
  }
}
