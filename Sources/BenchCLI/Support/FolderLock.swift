import Foundation

/// Keeps a second run out of a folder; the system lets go of it when the process ends, however it does.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder itself (flock(2)), so that no lock file is left behind.
  ///
  /// - Throws: a ``CLIError`` where another process has it.
  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CLIError(
        "the folder \(path) cannot be opened: \(String(cString: strerror(errno)))",
        help: "choose another with --out", status: .failed)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw CLIError(
        "another run is using \(path)",
        help: "wait for it, or choose another folder", status: .failed)
    }
  }

  /// Whether some process has locked a folder; false of one that cannot be opened.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { close(descriptor) }
}
