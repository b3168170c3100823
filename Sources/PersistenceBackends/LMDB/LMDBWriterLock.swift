import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets one writer at a time in, within and among processes, and waits for it no longer than told:
/// LMDB's own lock waits for ever and does not say for whom.
///
/// Among processes it is a POSIX record lock on the data file, which the system drops when a process
/// ends (fcntl(2)). LMDB itself locks only `lock.mdb`.
final class LMDBWriterLock {
  private let descriptor: Int32
  private let wait: TimeInterval
  private let writer = NSLock()

  init(descriptor: Int32, wait: TimeInterval) {
    self.descriptor = descriptor
    self.wait = wait
  }

  /// Runs what writes; throws ``LMDBFailure`` with who has the lock when the wait is over.
  func holding<Result>(_ body: () throws -> Result) throws -> Result {
    let end = Date(timeIntervalSinceNow: wait)
    guard writer.lock(before: end) else {
      throw LMDBFailure("locked by another writer of this process")
    }
    defer { writer.unlock() }
    try lock(until: end)
    defer { _ = ask(F_SETLK, F_UNLCK) }
    return try body()
  }

  private func lock(until end: Date) throws {
    while ask(F_SETLK, F_WRLCK).code != 0 {
      guard errno == EACCES || errno == EAGAIN || errno == EINTR else {
        throw LMDBFailure(code: errno)
      }
      guard Date() < end else { throw LMDBFailure("locked by \(holder)") }
      usleep(1_000)
    }
  }

  /// Who holds the lock; nobody may by now, or somebody whose lock has no process.
  private var holder: String {
    let answer = ask(F_GETLK, F_WRLCK)
    guard answer.code == 0, answer.process > 0 else { return "another writer" }
    return "process \(answer.process)"
  }

  private func ask(_ command: Int32, _ type: Int32) -> (code: Int32, process: Int32) {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    let code = fcntl(descriptor, command, &request)
    return (code, request.l_pid)
  }
}
