import Basics
import Foundation

/// Keeps a second run out of a folder. The system releases the lock however the process ends.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder itself (flock(2)), so that no lock file is left behind. Returns nil if another
  /// process holds the lock, or has removed the folder.
  ///
  /// - Throws: a ``CLIError`` if the system gives no lock: two runs could then share the folder.
  init?(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    // If this fails, `deinit` closes the descriptor.
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    guard ![ENOENT, EWOULDBLOCK].contains(errno) else { return nil }
    throw CLIError(
      "the folder \(path) cannot be \(descriptor < 0 ? "opened" : "locked"): \(errnoMessage())",
      help: "check its permissions, or choose a folder on another file system")
  }

  /// Releases the lock now. Closing the descriptor is not enough while processes are being started:
  /// a new child has a copy that keeps the lock.
  func release() { flock(descriptor, LOCK_UN) }

  /// Whether a folder must stay, since a process has locked it, or none can.
  static func isHeld(_ path: String) -> Bool { (try? FolderLock(path)) == nil }

  deinit { close(descriptor) }
}
