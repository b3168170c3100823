import Foundation

/// Which file a path names, and how long it is.
package struct FileIdentity: Hashable, Sendable {
  package let length: Int
  package let device: UInt64
  package let number: UInt64

  /// Of the file that a path names now; nil where it names none or the system refuses, as `errno` says.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of an open file; nil where the system refuses, as `errno` says.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether an open file still has a name in some folder.
  package static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  private init(_ status: stat) {
    length = Int(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}
