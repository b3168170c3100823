import Foundation

/// Lets one process at a time build; the system lets go of it when the process, and all to which it
/// gave the descriptor, have ended, however they did.
final class CacheLock: Sendable {
  let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Locks a folder (flock(2)); nil where another has it.
  ///
  /// - Throws: ``RevisionBuildError/unusableCache(path:reason:)``.
  static func attempt(_ path: String) throws -> CacheLock? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw RevisionBuildError.unusableCache(path: path, reason: String(cString: strerror(errno)))
    }
    let lock = CacheLock(descriptor: descriptor)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
    guard errno == EWOULDBLOCK else {
      throw RevisionBuildError.unusableCache(path: path, reason: String(cString: strerror(errno)))
    }
    return nil
  }

  /// Waits until nobody else has it, and says once that it does.
  ///
  /// - Throws: `CancellationError`; ``RevisionBuildError/unusableCache(path:reason:)``.
  static func wait(_ path: String, waiting: @Sendable () -> Void) async throws -> CacheLock {
    if let lock = try attempt(path) { return lock }
    waiting()
    while true {
      try await Task.sleep(for: .milliseconds(200))
      if let lock = try attempt(path) { return lock }
    }
  }
}
