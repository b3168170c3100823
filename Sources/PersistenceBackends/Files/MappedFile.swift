import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file mapped for reading, until nobody refers to it.
public final class MappedFile {
  /// All of the file; empty where the file is.
  public let bytes: UnsafeRawBufferPointer
  /// Which file it is.
  let identity: FileIdentity

  /// Maps a file.
  ///
  /// - Throws: ``StorageError`` with the system's reason.
  public init(_ path: String) throws {
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

  private static func failure(_ operation: String, _ path: String) -> StorageError {
    StorageError(operation: operation, path: path, reason: String(cString: strerror(errno)))
  }
}
