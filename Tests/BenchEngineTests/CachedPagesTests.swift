#if os(Linux)
  import BenchProbes
  import Foundation
  import Glibc
  import PersistenceBackends
  import TestSupport
  import Testing

  @testable import BenchEngine

  /// Whether temporary files are on a drive: those in memory cannot be dropped.
  private let isOnDrive =
    FileSystem(at: NSTemporaryDirectory()).map { $0.type == "ext4" || $0.type == "xfs" } ?? false

  @Suite("Cached pages")
  struct CachedPagesTests {
    /// How many pages of a file the system keeps in memory.
    private func resident(_ path: String) throws -> Int {
      let mapping = try MappedFile(path)
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      var states = [UInt8](repeating: 0, count: (mapping.bytes.count + page - 1) / page)
      try withExtendedLifetime(mapping) {
        let start = UnsafeMutableRawPointer(mutating: mapping.bytes.baseAddress)
        try #require(mincore(start, mapping.bytes.count, &states) == 0)
      }
      return states.count { $0 & 1 == 1 }
    }

    @Test(
      "of all files of a folder are dropped, however deep",
      .enabled(if: isOnDrive, "the temporary folder is on no drive whose pages can be dropped"))
    func dropped() throws {
      try inFolder { folder in
        let inner = folder + "/inner"
        try FileManager.default.createDirectory(
          atPath: inner, withIntermediateDirectories: true)
        let paths = [folder + "/file", inner + "/file"]
        for path in paths {
          try Data(repeating: 7, count: 1 << 20).write(to: URL(fileURLWithPath: path))
          #expect(try resident(path) > 0)
        }
        try CachedPages.drop(in: folder)
        for path in paths { #expect(try resident(path) == 0) }
      }
    }

    @Test("of a folder that is not there cannot be dropped: a warm store would count as cold")
    func missing() { #expect(throws: CocoaError.self) { try CachedPages.drop(in: "/no/such") } }
  }
#endif
