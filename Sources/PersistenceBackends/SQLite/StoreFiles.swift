import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files that SQLite keeps for one database.
struct StoreFiles {
  let path: String

  /// The bytes of the database, its log and the log's index, as far as they are there.
  func size() throws -> Size {
    let beside = ["-wal", "-shm", "-journal"]
    return .bytes(try beside.reduce(length("") ?? 0) { $0 + (try length($1) ?? 0) })
  }

  private func length(_ suffix: String) throws -> Int? {
    var status = stat()
    guard stat(path + suffix, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StorageError(
        operation: "stat", path: path + suffix, reason: String(cString: strerror(errno)))
    }
    return Int(status.st_size)
  }
}
