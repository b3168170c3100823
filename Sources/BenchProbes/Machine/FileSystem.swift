import Basics
import BenchResults
import CProfiler

/// The kind of file system that keeps a folder.
package struct FileSystem: Hashable, Sendable {
  /// The usual name of it, such as `ext4`, `xfs`, `btrfs`, `tmpfs`, `overlay` or `apfs`.
  package let type: String

  package init(type: String) {
    self.type = type
  }

  /// Whether what it keeps is gone with the power, so that flushing measures nothing.
  package var isMemoryBacked: Bool { Settings.memoryFileSystems.contains(type) }

  /// The file system of what is at this path; nil if there is nothing or the system does not say.
  package init?(at path: String) {
    #if canImport(Darwin)
      var information = statfs()
      guard statfs(path, &information) == 0 else { return nil }
      type = withUnsafeBytes(of: information.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    #else
      // Not by the table of mounts: in a chroot, or without `/proc`, it says nothing of the path.
      self.init(number: file_system_number(path))
    #endif
  }

  /// Numbers of the usual kinds (statfs(2), linux/magic.h); ext2 and ext3 have ext4's, devtmpfs has tmpfs's.
  private static let numbers: [Int64: String] = [
    0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs",
    0x8584_58F6: "ramfs", 0x794C_7630: "overlay", 0xF2F5_2010: "f2fs", 0x2FC1_2FC1: "zfs",
    0x6969: "nfs", 0xFF53_4D42: "cifs", 0x6573_5546: "fuse", 0x0102_1997: "9p", 0x4D44: "vfat",
    0x2011_BAB0: "exfat", 0x7371_7368: "squashfs", 0xCA45_1A4E: "bcachefs",
  ]

  /// The kind of a number; one that is not known here by its number, nil of none.
  init?(number: Int64) {
    guard number >= 0 else { return nil }
    type = Self.numbers[number] ?? "0x" + String(number, radix: 16)
  }
}
