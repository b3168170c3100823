import Foundation
import PersistenceBackends

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The pages of files that the system keeps in memory, which make the next reading of them cheap.
///
/// Linux drops them where it is asked to (posix_fadvise(2), POSIX_FADV_DONTNEED), once they are on the
/// drive and nobody has them mapped; a file system in memory keeps them. The drive may have a cache of
/// its own. On Apple's systems there is no such call: a fresh process finds them there.
public enum CachedPages {
  /// Writes out every file of a folder, however deep, and drops its pages.
  ///
  /// - Throws: `StorageError` with the system's reason.
  public static func drop(in folder: String) throws {
    #if !canImport(Darwin)
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        try drop(file: "\(folder)/\(name)")
      }
    #endif
  }

  #if !canImport(Darwin)
    private static func drop(file path: String) throws {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw failure("open", path, errno) }
      defer { close(descriptor) }
      guard fsync(descriptor) == 0 else { throw failure("flush", path, errno) }
      let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard code == 0 else { throw failure("drop the cached pages of", path, code) }
    }

    private static func failure(
      _ operation: String, _ path: String, _ code: Int32
    ) -> StorageError {
      StorageError(operation: operation, path: path, reason: String(cString: strerror(code)))
    }
  #endif
}
