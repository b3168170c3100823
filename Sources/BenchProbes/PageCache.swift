import Basics
import Foundation

/// The page cache: file pages that the system keeps in memory, to make them cheap to reread.
///
/// Linux drops pages on request (posix_fadvise(2), POSIX_FADV_DONTNEED) if they are on the drive and not
/// mapped. A file system in memory keeps them. The request is only advice, so the remaining pages are
/// counted (mincore(2)). The drive may have its own cache. Apple's systems have no such call.
package enum PageCache {
  /// Flushes every file in a folder, at any depth, and drops its pages. Does nothing on Apple's
  /// systems.
  ///
  /// - Throws: ``PageCacheError``, or Foundation's error if the folder does not exist.
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

  /// Returns the percentage of pages in memory, over all files in a folder at any depth. Returns 0
  /// if there are no pages.
  ///
  /// - Throws: ``PageCacheError``, or Foundation's error if the folder does not exist.
  package static func residentShare(in folder: String) throws -> Double {
    var (resident, all) = (0, 0)
    for path in try files(in: folder) {
      let states = try states(of: path)
      resident += states.count { $0 & 1 == 1 }
      all += states.count
    }
    return all == 0 ? 0 : 100 * Double(resident) / Double(all)
  }

  /// Returns one byte for each page of a file. It is odd if the page is in memory.
  private static func states(of path: String) throws -> [UInt8] {
    try withDescriptor(of: path) { descriptor in
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw failure("look at", path, errno) }
      let length = Int(status.st_size)
      guard length > 0 else { return [] }
      // Maps without access, since pages that are mapped in would count.
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

  /// Returns the regular files in a folder, at any depth.
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

/// The reason why the pages of a file could not be dropped or counted.
package struct PageCacheError: Error, Hashable, CustomStringConvertible {
  package let description: String
}
