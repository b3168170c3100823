import Basics
import Foundation

/// The folder of built executables, each in a subfolder with the files that it needs.
struct ExecutableCache: Sendable {
  /// The folder's path, absolute and without symbolic links.
  let path: String

  /// Makes the folder, with a `.gitignore` that hides it whatever the repository's own rules are.
  init(path: String) throws {
    self.path = try Self.explaining(path) {
      try makeFolder(path)
      try Data("*\n".utf8).write(to: URL(fileURLWithPath: path + "/.gitignore"))
      return resolvedPath(path) ?? path
    }
  }

  /// Returns the executable of an entry and marks it as used now. Returns nil if there is none.
  func executable(_ product: String, of entry: String) -> String? {
    let executable = "\(path)/\(entry)/\(product)"
    guard FileManager.default.isExecutableFile(atPath: executable) else { return nil }
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: "\(path)/\(entry)")
    return executable
  }

  /// Keeps an executable with the resources and libraries next to it, either all of them or none.
  func store(_ product: String, from folder: String, as entry: String) throws {
    let files = FileManager.default
    let aside = path + "/partial"
    try Self.explaining(path) {
      // A gate that was killed may have left a half-copied entry.
      try? files.removeItem(atPath: aside)
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

  /// Rethrows errors of the file system as a `Refusal` with the path and the system's reason.
  static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw unusable(path, systemReason(error))
    }
  }

  static func unusable(_ path: String, _ reason: String) -> Refusal {
    Refusal("\(path) cannot keep builds: \(reason)")
  }

  /// Removes all executables except the eight that were used last. Requires the lock.
  func trim() {
    let files = FileManager.default
    func used(_ name: String) -> Date {
      let attributes = try? files.attributesOfItem(atPath: "\(path)/\(name)")
      return attributes?[.modificationDate] as? Date ?? .distantPast
    }
    let entries = ((try? files.contentsOfDirectory(atPath: path)) ?? []).filter { $0.contains("-") }
    for name in entries.sorted(by: { used($0) > used($1) }).dropFirst(8) {
      try? files.removeItem(atPath: "\(path)/\(name)")
    }
  }
}

/// Lets one process at a time build. The system releases the lock when this process and all
/// processes that were given the descriptor have ended, even if they were killed.
final class CacheLock: Sendable {
  let descriptor: Int32

  /// Locks a folder (flock(2)). Calls `waiting` once if another process holds the lock, and waits.
  ///
  /// - Throws: `CancellationError`, or a `Refusal` if the system refuses the lock.
  init(_ path: String, waiting: @Sendable () -> Void) async throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var isWaiting = false
    while descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else {
        throw ExecutableCache.unusable(path, errnoMessage())
      }
      if !isWaiting { waiting() }
      isWaiting = true
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  // Also runs if `init` throws after it has opened the folder.
  deinit { close(descriptor) }
}
