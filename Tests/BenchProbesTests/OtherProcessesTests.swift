import CProfiler
import Foundation
import Testing

@testable import BenchProbes

struct OtherProcessesTests {
  @Test("programs that take times see each other as long as both do")
  func timing() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "timing-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = TimingLock(on: folder)
    #expect(!first.isShared)
    withExtendedLifetime(TimingLock(on: folder)) { second in
      // Looking does not give up the lock.
      for _ in 0..<2 {
        #expect(second.isShared)
        #expect(first.isShared)
      }
    }
    #expect(!first.isShared)
    #expect(!TimingLock(on: folder + "/none").isShared)
  }

  @Test("threads are started up to the number asked for")
  func threads() {
    #expect(startable_threads(3) == 3)
  }
}
