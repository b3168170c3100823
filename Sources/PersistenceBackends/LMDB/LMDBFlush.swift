import CLMDB
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a durability means to LMDB (lmdb.h, on `mdb_env_open`).
///
/// LMDB never overwrites a page that the last menu uses and writes the meta page last, so a process
/// that dies leaves the old or the new menu however little is flushed: the system has the pages.
/// `none` and `atomic` are therefore one: MDB_NOSYNC, no flush. LMDB has nothing cheaper that does
/// not risk the process (MDB_WRITEMAP). `durable` is LMDB's default: pages flushed, then the meta
/// page written through.
struct LMDBFlush {
  private let isDurable: Bool

  init(_ durability: Durability) { isDurable = durability == .durable }

  /// Sets an environment up for a commit; to be called by the one writer.
  func prepare(_ environment: OpaquePointer) throws {
    try LMDBFailure.check(
      mdb_env_set_flags(environment, UInt32(MDB_NOSYNC), isDurable ? 0 : 1))
  }

  /// Finishes a commit: Apple's fsync, which LMDB 0.9 calls, leaves the drive's cache alone.
  func finish(_ descriptor: Int32) throws {
    #if canImport(Darwin)
      guard !isDurable || fcntl(descriptor, F_FULLFSYNC) == 0 else {
        throw LMDBFailure(code: errno)
      }
    #endif
  }

  /// Flushes a folder's entries, so that new files keep their names.
  func keepNames(in folder: String) throws {
    guard isDurable else { return }
    let descriptor = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBFailure(code: errno) }
    defer { _ = Foundation.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw LMDBFailure(code: errno) }
  }
}
