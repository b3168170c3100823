import Basics
import Foundation

/// The pages of files that the system keeps in memory, which make the next reading of them cheap.
///
/// Linux drops them where it is asked to (posix_fadvise(2), POSIX_FADV_DONTNEED), once they are on the
/// drive and nobody has them mapped; a file system in memory keeps them. That is advice, so what stayed
/// is counted (mincore(2)). The drive may have a cache of its own. Apple's systems have no such call.
package enum PageCache {
  /// Writes out every file of a folder, however deep, and drops its pages; does nothing on Apple's
  /// systems.
  ///
  /// - Throws: ``PageCacheError``, or Foundation's where there is no such folder.
  package static func drop(in folder: String) throws {
    #if !canImport(Darwin)
      for path in try files(in: folder) {
        try withDescriptor(of: path) { descriptor in
          guard fsync(descriptor) == 0 else { throw failure("flush", path, errno) }
          let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
          guard code == 0 else { throw failure("drop the cached pages of", path, code) }
        }
      }
    #endif
  }

  /// What share of the pages of all files of a folder, however deep, is in memory, in percent; 0 where
  /// there is no page.
  ///
  /// - Throws: ``PageCacheError``, or Foundation's where there is no such folder.
  package static func residentShare(in folder: String) throws -> Double {
    var (resident, all) = (0, 0)
    for path in try files(in: folder) {
      let states = try states(of: path)
      resident += states.count { $0 & 1 == 1 }
      all += states.count
    }
    return all == 0 ? 0 : 100 * Double(resident) / Double(all)
  }

  /// A byte for each page of a file, odd of one that is in memory.
  private static func states(of path: String) throws -> [UInt8] {
    try withDescriptor(of: path) { descriptor in
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw failure("look at", path, errno) }
      let length = Int(status.st_size)
      guard length > 0 else { return [] }
      // Without access: what is mapped in would count.
      let start = mmap(nil, length, PROT_NONE, MAP_SHARED, descriptor, 0)
      guard let start, start != MAP_FAILED else { throw failure("map", path, errno) }
      defer { munmap(start, length) }
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      var states = [UInt8](repeating: 0, count: (length + page - 1) / page)
      guard residence(start, length, &states) == 0 else {
        throw failure("ask for the cached pages of", path, errno)
      }
      return states
    }
  }

  private static func residence(
    _ start: UnsafeMutableRawPointer, _ length: Int, _ states: inout [UInt8]
  ) -> Int32 {
    #if canImport(Darwin)
      states.withUnsafeMutableBytes {
        mincore(start, length, $0.bindMemory(to: CChar.self).baseAddress)
      }
    #else
      mincore(start, length, &states)
    #endif
  }

  /// The regular files of a folder, however deep.
  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.filter {
      var status = stat()
      return lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  private static func withDescriptor<Result>(
    of path: String, _ body: (Int32) throws -> Result
  ) throws -> Result {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure("open", path, errno) }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private static func failure(
    _ operation: String, _ path: String, _ code: Int32
  ) -> PageCacheError {
    PageCacheError(description: "cannot \(operation) \(path): \(errnoMessage(code))")
  }
}

/// Why the pages of a file could not be dropped, or counted.
package struct PageCacheError: Error, Hashable, CustomStringConvertible {
  package let description: String
}
