#if os(Linux)
  import Basics
  import BenchProbes
  import Foundation
  import Testing

  /// Whether temporary files are on a drive: those in memory cannot be dropped.
  private let isOnDrive =
    FileSystem(at: NSTemporaryDirectory()).map { $0.type == "ext4" || $0.type == "xfs" } ?? false

  @Suite("Cached pages")
  struct PageCacheTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")
      .path

    /// Makes files of 256 pages in a folder, one of them deeper.
    private func inFiles(_ body: ([String]) throws -> Void) throws {
      try FileManager.default.createDirectory(
        atPath: folder + "/inner", withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let paths = [folder + "/file", folder + "/inner/file"]
      for path in paths {
        try Data(repeating: 7, count: 1 << 20).write(to: URL(fileURLWithPath: path))
      }
      try body(paths)
    }

    @Test(
      "are dropped for all files of a folder, however deep",
      .enabled(if: isOnDrive, "the temporary folder is on no drive whose pages can be dropped"))
    func dropped() throws {
      try inFiles { _ in
        #expect(try PageCache.residentShare(in: folder) == 100)
        try PageCache.drop(in: folder)
        #expect(try PageCache.residentShare(in: folder) == 0)
      }
    }

    @Test(
      "are counted if they stay: a mapped file that was read stays",
      .enabled(if: isOnDrive, "the temporary folder is on no drive whose pages can be dropped"))
    func kept() throws {
      try inFiles { paths in
        let descriptor = open(paths[1], O_RDONLY)
        defer { close(descriptor) }
        let mapped = mmap(nil, 1 << 20, PROT_READ, MAP_SHARED | 0x8000, descriptor, 0)
        let start = try #require(mapped)
        defer { munmap(start, 1 << 20) }
        try PageCache.drop(in: folder)
        #expect(try PageCache.residentShare(in: folder) == 50)
      }
    }

    @Test("do not exist in a folder without files")
    func empty() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      #expect(try PageCache.residentShare(in: folder) == 0)
    }

    @Test("cannot be dropped in a missing folder, because a warm store would count as cold")
    func missing() {
      #expect(throws: CocoaError.self) { try PageCache.drop(in: "/no/such") }
      #expect(throws: CocoaError.self) { try PageCache.residentShare(in: "/no/such") }
    }
  }
#endif
