import Basics

/// The kind of file system that keeps a folder.
package struct FileSystem: Hashable, Sendable {
  /// The system's own name of it, such as `ext4`, `xfs`, `btrfs`, `tmpfs`, `overlay` or `apfs`.
  package let type: String

  /// Makes a kind of that name.
  package init(type: String) {
    self.type = type
  }

  /// Whether what it keeps is gone with the power, so that flushing measures nothing.
  package var isMemoryBacked: Bool { ["tmpfs", "ramfs", "devtmpfs", "rootfs"].contains(type) }

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
    package init?(at path: String) {
      guard let whole = resolvedPath(path), let mounts = TextFile.read("/proc/self/mountinfo")
      else { return nil }
      self.init(at: whole, mountinfo: mounts)
    }
  #endif
}

extension FileSystem {
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
