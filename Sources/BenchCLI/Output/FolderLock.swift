import Basics
import Foundation

/// Keeps a second run out of a folder; the system lets go of it when the process ends, however it does.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder itself (flock(2)), so that no lock file is left behind.
  ///
  /// - Parameters:
  ///   - taken: what is said of the folder where another process has it.
  ///   - help: what to do then.
  init(
    _ path: String, taken: String = "another run is using",
    help: String = "wait for it, or choose another folder"
  ) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CLIError(
        "the folder \(path) cannot be opened: \(errnoMessage())", help: "see that it can be read",
        status: .failed)
    }
    // What is thrown from here on ends in deinit, which closes it.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw CLIError("\(taken) \(path)", help: help, status: .failed)
    }
  }

  /// Lets go of it now. Closing is not enough where processes are started meanwhile: a child just being
  /// started has a copy that keeps the lock.
  func release() { flock(descriptor, LOCK_UN) }

  /// Whether some process has locked a folder; false of one that cannot be opened.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { close(descriptor) }
}
