import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The environments that this process has open, each once, however many backends use it.
enum LMDBEnvironments {
  /// A folder, whatever path names it.
  struct Folder: Hashable {
    private let path: String

    init(_ path: String) throws {
      guard let resolved = realpath(path, nil) else { throw LMDBFailure(code: errno) }
      defer { free(resolved) }
      self.path = String(cString: resolved)
    }
  }

  private struct Shared {
    let environment: LMDBEnvironment
    var users = 1
  }

  /// Not a Mutex: on Linux the thread sanitizer does not see it lock, and reports races.
  private static let lock = NSLock()
  nonisolated(unsafe) private static var open: [Folder: Shared] = [:]

  /// The environment of a folder, opened unless it is.
  static func take(
    _ path: String, mapSize: Int, wait: TimeInterval
  ) throws -> (folder: Folder, environment: LMDBEnvironment) {
    let folder = try Folder(path)
    return try lock.withLock {
      if let shared = open[folder] {
        open[folder]?.users += 1
        return (folder, shared.environment)
      }
      let environment = try LMDBEnvironment(folder: path, mapSize: mapSize, wait: wait)
      open[folder] = Shared(environment: environment)
      return (folder, environment)
    }
  }

  /// Gives an environment back; the last one who does closes it.
  static func giveBack(_ folder: Folder) {
    lock.withLock {
      open[folder]?.users -= 1
      guard let shared = open[folder], shared.users == 0 else { return }
      shared.environment.close()
      open[folder] = nil
    }
  }
}
