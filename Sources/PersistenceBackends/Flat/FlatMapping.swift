import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file mapped for reading, until nobody refers to it.
final class FlatMapping {
  /// All of the file; empty where the file is.
  let bytes: UnsafeRawBufferPointer
  /// Which file it is.
  let identity: FileIdentity

  /// Maps a file.
  ///
  /// - Throws: ``StorageError`` with the system's reason.
  init(_ path: String) throws {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("open", path) }
    defer { _ = Foundation.close(descriptor) }
    identity = try FileIdentity(of: descriptor, path)
    guard identity.length > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let start = mmap(nil, identity.length, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else { throw Self.failure("map", path) }
    bytes = UnsafeRawBufferPointer(start: start, count: identity.length)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }

  fileprivate static func failure(_ operation: String, _ path: String) -> StorageError {
    StorageError(operation: operation, path: path, reason: String(cString: strerror(errno)))
  }
}

/// Which file a path names, and how long it is.
struct FileIdentity: Equatable {
  /// In bytes.
  let length: Int
  private let device: UInt64
  private let number: UInt64

  /// Of the file that a path names now.
  init(of path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FlatMapping.failure("stat", path) }
    self.init(status)
  }

  /// Of an open file.
  init(of descriptor: Int32, _ path: String) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FlatMapping.failure("stat", path) }
    self.init(status)
  }

  private init(_ status: stat) {
    length = Int(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}
