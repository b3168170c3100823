import Basics
import BenchProbes
import BenchResults
import Foundation
import Testing

#if os(Linux)
  /// Referenced pages are those of the whole process, so each test runs in a process of its own.
  @Suite("The pages that a phase touches")
  struct TouchedPagesTests {
    @Test("are those of the folder's files that it read, mapped or by calls, each once")
    func seen() async {
      await #expect(processExitsWith: .success) {
        try Folder.with { other in
          try Folder.with { folder in
            let (page, foreign) = (try folder.map("store"), try other.map("store"))
            try folder.make("log")
            let descriptor = open(folder.path + "/log", O_RDONLY)
            var bytes = [UInt8](repeating: 0, count: 5_000)
            let mapped = try folder.count {
              page.look(at: [0, 1, 100, 100])
              foreign.look(at: [4, 5])
              page.look(at: [255])
            }
            #expect(mapped == [4 * 4_096])
            let read = try folder.count {
              _ = pread(descriptor, &bytes, bytes.count, 0)
              page.look(at: [200])
            }
            #expect(read == [12_288])
          }
        }
      }
    }

    @Test("do not include pages touched earlier, because the next phase starts again")
    func afresh() async {
      await #expect(processExitsWith: .success) {
        try Folder.with { folder in
          let page = try folder.map("store")
          page.look(at: Array(0..<256))
          #expect(try folder.count({}, { page.look(at: [7]) }, {}) == [0, 4_096, 0])
        }
      }
    }

    @Test("are refused for a missing folder")
    func missing() {
      #expect(throws: Unsupported("no folder /no/such: No such file or directory")) {
        try TouchedPages(of: "/no/such")
      }
    }
  }

  /// A folder with files of 256 pages.
  private struct Folder {
    let path: String

    static func with(_ body: (Folder) throws -> Void) throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: path) }
      try body(Folder(path: path))
    }

    func make(_ name: String) throws {
      try Data(repeating: 7, count: 256 * 4_096).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func map(_ name: String) throws -> Pages {
      try make(name)
      let descriptor = open(path + "/" + name, O_RDONLY)
      let start = mmap(nil, 256 * 4_096, PROT_READ, MAP_PRIVATE, descriptor, 0)
      return Pages(start: try #require(start))
    }

    /// The bytes of the pages that phases look at: the median of five times, since the kernel may age or
    /// move pages at any moment, and then counts too few or their neighbours.
    func count(_ phases: () throws -> Void...) throws -> [Double] {
      let times = 5
      let instrument = try TouchedPages(of: path)
      let sampler = Sampler(phases: phases.count, instruments: [instrument])
      for _ in 0..<times {
        for (index, phase) in phases.enumerated() { try sampler.measure(index, phase) }
      }
      return phases.indices.map { sampler.series(phase: $0)[1].values.sorted()[times / 2] }
    }
  }

  private struct Pages {
    let start: UnsafeMutableRawPointer

    func look(at pages: [Int]) {
      for page in pages { blackHole(start.load(fromByteOffset: 4_096 * page, as: UInt8.self)) }
    }
  }
#endif
