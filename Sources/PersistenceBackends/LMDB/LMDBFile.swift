import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The data file of an LMDB store, read by system calls beside LMDB's mapping.
struct LMDBFile {
  /// An open descriptor, of the environment's own: to close another would drop its locks.
  let descriptor: Int32
  /// The file's length.
  let length: Int

  /// Takes an open file and its path.
  init(descriptor: Int32, path: String) throws {
    self.descriptor = descriptor
    length = try Self.length(of: path)
  }

  /// The length of a file, without opening it.
  static func length(of path: String) throws -> Int {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.size] as? NSNumber)?.intValue ?? 0
    } catch { throw LMDBFailure("the length of \(path) is not to be had") }
  }

  /// The meta page of the last transaction; throws where either page is none.
  func meta() throws -> LMDBMeta {
    let first = try LMDBMeta(try bytes(0, LMDBMeta.length), number: 0)
    let second = try LMDBMeta(try bytes(first.pageSize, LMDBMeta.length), number: 1)
    return try LMDBMeta.last(first, second, fileLength: length)
  }

  /// A run of bytes; throws where the file is shorter.
  func bytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
    guard offset >= 0, count <= length, offset <= length - count else {
      throw LMDBFailure("cut short: \(length) bytes, but \(offset + count) are in use")
    }
    let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let taken = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(offset + filled))
        if taken < 0, errno == EINTR { continue }
        guard taken > 0 else { throw LMDBFailure(code: taken < 0 ? errno : EIO) }
        filled += taken
      }
    }
    return bytes
  }
}
