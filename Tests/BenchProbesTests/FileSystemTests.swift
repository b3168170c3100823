import CProfiler
import Testing

@testable import BenchProbes

struct FileSystemTests {
  @Test(
    "the kind's number gives its name",
    arguments: [
      (0xEF53, "ext4"), (0x5846_5342, "xfs"), (0x0102_1994, "tmpfs"), (0x794C_7630, "overlay"),
      (0x1234, "0x1234"), (-1, nil),
    ] as [(Int64, String?)])
  func number(number: Int64, type: String?) {
    #expect(FileSystem(number: number)?.type == type)
  }

  #if os(Linux)
    @Test("the system has a number for an existing folder, and none for a missing one")
    func asked() {
      #expect(FileSystem(at: "/proc")?.type == "0x9fa0")
      #expect(file_system_number("/no/such/folder") == -1)
    }
  #endif

  @Test("only memory is memory-backed")
  func memoryBacked() {
    #expect(FileSystem(type: "tmpfs").isMemoryBacked)
    #expect(!FileSystem(type: "ext4").isMemoryBacked)
    #expect(!FileSystem(type: "overlay").isMemoryBacked)
  }

  @Test("this machine's root has a file system, and a missing folder has none")
  func here() {
    #expect(FileSystem(at: "/")?.type.isEmpty == false)
    #expect(FileSystem(at: "/no/such/folder") == nil)
  }
}
