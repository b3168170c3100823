import Basics
import BenchResults
import CProfiler

/// The kind of file system that keeps a folder.
package struct FileSystem: Hashable, Sendable {
  /// The system's own name of it, such as `ext4`, `xfs`, `btrfs`, `tmpfs`, `overlay` or `apfs`.
  package let type: String

  /// Makes a kind of that name.
  package init(type: String) {
    self.type = type
  }

  /// Whether what it keeps is gone with the power, so that flushing measures nothing.
  package var isMemoryBacked: Bool { Settings.memoryFileSystems.contains(type) }

  #if canImport(Darwin)
    /// The file system of what is at this path; nil if there is nothing or the system does not say.
    package init?(at path: String) {
      var information = statfs()
      guard statfs(path, &information) == 0 else { return nil }
      type = withUnsafeBytes(of: information.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  #else
    /// The file system of what is at this path; nil if there is nothing or the system does not say.
    ///
    /// The table of mounts has the names of all kinds. In a chroot, or without `/proc`, it says nothing of
    /// the path: the kind's number does then, as far as it is known (``init(number:)``).
    package init?(at path: String) {
      guard let whole = resolvedPath(path) else { return nil }
      self.init(resolved: whole, mountinfo: TextFile.read("/proc/self/mountinfo") ?? "")
    }

    /// The same of an absolute path without links, by the table of mounts given.
    init?(resolved path: String, mountinfo: String) {
      guard
        let found = FileSystem(at: path, mountinfo: mountinfo)
          ?? FileSystem(number: file_system_number(path))
      else { return nil }
      self = found
    }
  #endif
}

extension FileSystem {
  /// The numbers of the usual kinds (statfs(2), linux/magic.h); ext2 and ext3 have that of ext4.
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

  /// The file system of an absolute path without links, by the text of `/proc/self/mountinfo`.
  ///
  /// The deepest mount point above the path counts, and of several at one point the last mounted.
  init?(at path: String, mountinfo: String) {
    var deepest = -1
    var found: String?
    for line in mountinfo.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash > 4, dash + 1 < fields.count else {
        continue
      }
      let point = Self.unescape(fields[4])
      guard Self.holds(point, path), point.utf8.count >= deepest else { continue }
      deepest = point.utf8.count
      found = String(fields[dash + 1])
    }
    guard let found else { return nil }
    type = found
  }

  private static func holds(_ point: String, _ path: String) -> Bool {
    point == "/" || path == point || path.hasPrefix(point + "/")
  }

  /// Blanks and backslashes in mount points stand as a backslash and three octal digits (proc(5)).
  private static func unescape(_ field: Substring) -> String {
    let parts = field.split(separator: "\\", omittingEmptySubsequences: false)
    var bytes = Array((parts.first ?? "").utf8)
    for part in parts.dropFirst() {
      if let byte = UInt8(part.prefix(3), radix: 8) {
        bytes.append(byte)
        bytes += part.dropFirst(3).utf8
      } else {
        bytes += "\\\(part)".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
