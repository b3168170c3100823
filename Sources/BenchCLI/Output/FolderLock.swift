import Basics
import BenchResults
import Foundation

/// Keeps a second run out of a folder; the system lets go of it when the process ends, however it does.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder itself (flock(2)), so that no lock file is left behind.
  ///
  /// - Throws: a ``CLIError`` that says what cannot be opened and why, or that another process has it.
  init(
    _ path: String, unusable: (String) -> CLIError, taken: CLIError
  ) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unusable(errnoMessage()) }
    // What is thrown from here on ends in deinit, which closes it.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw taken }
  }

  /// Locks the folder of a run.
  convenience init(ofRun path: String) throws {
    try self.init(
      path,
      unusable: {
        CLIError(
          "the folder \(path) cannot be opened: \($0)", help: "choose another with --out",
          status: .failed)
      },
      taken: CLIError(
        "another run is using \(path)", help: "wait for it, or choose another folder",
        status: .failed))
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
