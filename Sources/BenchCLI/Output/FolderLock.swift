import Basics
import Foundation

/// Keeps a second run out of a folder. The system releases the lock however the process ends.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder itself (flock(2)), so that no lock file is left behind.
  ///
  /// - Parameters:
  ///   - taken: The message, before the path, if another process holds the lock.
  ///   - help: The help text for that error.
  init(
    _ path: String, taken: String = "another run is using",
    help: String = "wait for it, or choose another folder"
  ) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CLIError(
        "the folder \(path) cannot be opened: \(errnoMessage())", help: "check its permissions",
        status: .failed)
    }
    // If this throws, `deinit` closes the descriptor.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw CLIError("\(taken) \(path)", help: help, status: .failed)
    }
  }

  /// Releases the lock now. Closing the descriptor is not enough while processes are being started:
  /// a new child has a copy that keeps the lock.
  func release() { flock(descriptor, LOCK_UN) }

  /// Whether a process has locked a folder. False if the folder cannot be opened.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { close(descriptor) }
}
