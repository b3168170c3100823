import Basics
import Foundation

/// The folder that keeps built executables, each in a folder of its own with what it needs beside it.
struct ExecutableCache: Sendable {
  /// Absolute and without symbolic links.
  let path: String
  /// How many executables and logs are kept.
  static let limit = 8

  /// Makes the folder, which git then ignores whatever the repository's own rules are.
  ///
  /// - Throws: ``RevisionBuildError/unusableCache(path:reason:)``.
  init(path: String) throws {
    self.path = try Self.explaining(path) {
      try makeFolder(path)
      try Data("*\n".utf8).write(to: URL(fileURLWithPath: path + "/.gitignore"))
      guard let resolved = resolvedPath(path) else { throw CocoaError(.fileReadNoSuchFile) }
      return resolved
    }
  }

  /// Where the files of the commit being built are; one place for all, since compilers rebuild what
  /// has moved.
  var tree: String { path + "/tree" }
  /// Where builds keep what they can use again.
  var scratch: String { path + "/scratch" }
  /// Where all that a failed build said is.
  func log(of commit: Commit) -> String { "\(path)/\(commit.id).log" }

  /// The executable of an entry, which counts as used now; nil where there is none.
  func executable(_ product: String, of entry: String) -> String? {
    let executable = "\(path)/\(entry)/\(product)"
    guard FileManager.default.isExecutableFile(atPath: executable) else { return nil }
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: "\(path)/\(entry)")
    return executable
  }

  /// Keeps an executable, and the resources and libraries that lie beside it; whole or not at all.
  ///
  /// - Throws: ``RevisionBuildError/unusableCache(path:reason:)``.
  func store(_ product: String, from folder: String, as entry: String) throws {
    let files = FileManager.default
    let aside = "\(path)/\(entry).partial"
    try Self.explaining(path) {
      try makeFolder(aside)
      for name in try files.contentsOfDirectory(atPath: folder)
      where name == product || Self.isNeededBeside(name) {
        try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(aside)/\(name)")
      }
      try? files.removeItem(atPath: "\(path)/\(entry)")
      try files.moveItem(atPath: aside, toPath: "\(path)/\(entry)")
    }
  }

  private static func isNeededBeside(_ name: String) -> Bool {
    [".resources", ".bundle", ".so", ".dylib"].contains { name.hasSuffix($0) }
  }

  /// Turns what the file system refuses into the system's own words, and where.
  static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw RevisionBuildError.unusableCache(path: path, reason: systemReason(error))
    }
  }
}

extension ExecutableCache {
  /// Removes the executables that a gate that was killed has half copied; only under the lock.
  func removePartials() { remove(names.filter { $0.hasSuffix(".partial") }) }

  /// Removes the executables and the logs that were not used for longest; only under the lock.
  func trim() {
    for kind in [names.filter { $0.contains("-") }, names.filter { $0.hasSuffix(".log") }] {
      remove(kind.sorted { used($0) > used($1) }.dropFirst(Self.limit))
    }
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func used(_ name: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }

  private func remove(_ names: some Sequence<String>) {
    for name in names { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
  }
}

/// Lets one process at a time build; the system lets go of it when the process, and all to which it
/// gave the descriptor, have ended, however they did.
final class CacheLock: Sendable {
  let descriptor: Int32

  /// Locks a folder (flock(2)): waits until nobody else has it, and says once that it does.
  ///
  /// - Throws: `CancellationError`; ``RevisionBuildError/unusableCache(path:reason:)``.
  init(_ path: String, waiting: @Sendable () -> Void) async throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var isWaiting = false
    while descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else {
        throw RevisionBuildError.unusableCache(path: path, reason: errnoMessage())
      }
      if !isWaiting { waiting() }
      isWaiting = true
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  // What is thrown once the folder is open ends here as well.
  deinit { close(descriptor) }
}
