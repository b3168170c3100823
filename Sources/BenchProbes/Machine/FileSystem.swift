import Basics
import BenchResults
import CProfiler

/// The type of the file system that holds a folder.
package struct FileSystem: Hashable, Sendable {
  /// Its usual name, such as `ext4`, `xfs`, `btrfs`, `tmpfs`, `overlay` or `apfs`.
  package let type: String

  package init(type: String) {
    self.type = type
  }

  /// Whether a power cut erases its files, so that measuring a flush is pointless.
  package var isMemoryBacked: Bool { Settings.memoryFileSystems.contains(type) }

  /// Finds the file system of a path. Returns nil if the path is missing or the system reports none.
  package init?(at path: String) {
    #if canImport(Darwin)
      var information = statfs()
      guard statfs(path, &information) == 0 else { return nil }
      type = withUnsafeBytes(of: information.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    #else
      // Does not use the mount table, which is misleading in a chroot and missing without `/proc`.
      self.init(number: file_system_number(path))
    #endif
  }

  /// Common types (statfs(2), linux/magic.h). ext2 and ext3 have the number of ext4, devtmpfs of tmpfs.
  private static let numbers: [Int64: String] = [
    0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs",
    0x8584_58F6: "ramfs", 0x794C_7630: "overlay", 0xF2F5_2010: "f2fs", 0x2FC1_2FC1: "zfs",
    0x6969: "nfs", 0xFF53_4D42: "cifs", 0x6573_5546: "fuse", 0x0102_1997: "9p", 0x4D44: "vfat",
    0x2011_BAB0: "exfat", 0x7371_7368: "squashfs", 0xCA45_1A4E: "bcachefs",
  ]

  /// Looks up a number. An unknown one becomes its own name, a negative one gives nil.
  init?(number: Int64) {
    guard number >= 0 else { return nil }
    type = Self.numbers[number] ?? "0x" + String(number, radix: 16)
  }
}
