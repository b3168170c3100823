import CProfiler
import Testing

@testable import BenchProbes

struct FileSystemTests {
  private let mounts = #"""
    22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
    25 22 0:22 / /dev/shm rw,nosuid - tmpfs tmpfs rw
    30 22 8:1 / /data rw shared:1 master:2 - xfs /dev/sda1 rw
    31 30 8:2 / /data/my\040disk\134 rw - btrfs /dev/sda2 rw
    32 30 0:40 / /over rw - ext4 /dev/sdb rw
    33 30 0:41 / /over rw - overlay overlay rw
    """#

  @Test(
    "the deepest mount above a path counts, and the last at one point",
    arguments: [
      ("/", "ext4"), ("/home/app", "ext4"), ("/database", "ext4"), ("/dev/shm/x", "tmpfs"),
      ("/data", "xfs"), ("/data/my", "xfs"), (#"/data/my disk\/menu"#, "btrfs"),
      ("/over/there", "overlay"),
    ])
  func deepest(path: String, type: String) {
    #expect(FileSystem(at: path, mountinfo: mounts)?.type == type)
  }

  @Test("without mounts the file system is unknown", arguments: ["", "22 1\n\n", "- - - -"])
  func unknown(mountinfo: String) {
    #expect(FileSystem(at: "/", mountinfo: mountinfo) == nil)
  }

  @Test(
    "where no mount holds a path, the kind's number tells",
    arguments: [(0xEF53, "ext4"), (0x0102_1994, "tmpfs"), (0x1234, "0x1234"), (-1, nil)]
      as [(Int64, String?)])
  func number(number: Int64, type: String?) {
    #expect(FileSystem(number: number)?.type == type)
  }

  #if os(Linux)
    @Test("in a chroot, whose root is in no table of mounts, the system's number tells")
    func chroot() {
      #expect(FileSystem(resolved: "/proc", mountinfo: "")?.type == "0x9fa0")
      #expect(FileSystem(resolved: "/proc", mountinfo: mounts)?.type == "ext4")
    }

    @Test("the system says a number of what is there, and none of what is not")
    func asked() {
      #expect(FileSystem(number: file_system_number("/proc"))?.type == "0x9fa0")
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
