import Basics
import Foundation

/// The folder that keeps built executables, each in a folder of its own with what it needs beside it.
struct ExecutableCache: Sendable {
  /// Absolute and without symbolic links.
  let path: String

  /// Makes the folder, which git then ignores whatever the repository's own rules are.
  init(path: String) throws {
    self.path = try Self.explaining(path) {
      try makeFolder(path)
      try Data("*\n".utf8).write(to: URL(fileURLWithPath: path + "/.gitignore"))
      return resolvedPath(path) ?? path
    }
  }

  /// The executable of an entry, which counts as used now; nil where there is none.
  func executable(_ product: String, of entry: String) -> String? {
    let executable = "\(path)/\(entry)/\(product)"
    guard FileManager.default.isExecutableFile(atPath: executable) else { return nil }
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: "\(path)/\(entry)")
    return executable
  }

  /// Keeps an executable, and the resources and libraries that lie beside it; whole or not at all.
  func store(_ product: String, from folder: String, as entry: String) throws {
    let files = FileManager.default
    let aside = path + "/partial"
    try Self.explaining(path) {
      // One that a gate that was killed has half copied.
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

  /// Turns what the file system refuses into the system's own words, and where.
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

  /// Removes all executables but the eight that were used last; only under the lock.
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

/// Lets one process at a time build; the system lets go of it when the process, and all to which it
/// gave the descriptor, have ended, however they did.
final class CacheLock: Sendable {
  let descriptor: Int32

  /// Locks a folder (flock(2)): waits until nobody else has it, and says once that it does.
  ///
  /// - Throws: `CancellationError`; `Refusal` where the system refuses.
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

  // What is thrown once the folder is open ends here as well.
  deinit { close(descriptor) }
}
