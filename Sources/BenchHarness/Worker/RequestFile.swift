import Foundation

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// What a worker is to read, as an open file without a name.
///
/// A pipe would end the parent by SIGPIPE where a process ends before it reads, and would arrive in
/// pieces that differ from run to run.
enum RequestFile {
  /// Writes the bytes and gives the file, to be read from its beginning.
  ///
  /// - Throws: the system's error (`Errno`) where no temporary file can be made.
  static func open(_ bytes: Data) throws -> FileDescriptor {
    let path = FilePath(NSTemporaryDirectory()).appending("request-\(UUID())")
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: .ownerReadWrite)
    unlink(path.string)
    do {
      _ = try bytes.withUnsafeBytes { try file.writeAll($0) }
      try file.seek(offset: 0, from: .start)
      return file
    } catch {
      try? file.close()
      throw error
    }
  }
}
