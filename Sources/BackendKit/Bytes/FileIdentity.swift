import Foundation

/// Which file a path names, and how long it is.
package struct FileIdentity: Hashable, Sendable {
  /// In bytes.
  package let length: Int
  /// The device that holds the file.
  package let device: UInt64
  /// The file's number on it.
  package let number: UInt64

  /// Of the file that a path names now; nil where it names none.
  ///
  /// - Throws: ``StoreError`` with the system's reason.
  package init?(of path: String) throws {
    // With MemberImportVisibility, Swift 6.3 knows `stat` only in a module's files that come before
    // those that import C libraries: the one place for it in this module is here.
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StoreError.system("stat", path)
    }
    self.init(status)
  }

  /// Of an open file.
  ///
  /// - Throws: ``StoreError`` with the system's reason.
  init(of descriptor: Int32, _ path: String) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StoreError.system("stat", path) }
    self.init(status)
  }

  /// Whether an open file still has a name in some folder.
  static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  private init(_ status: stat) {
    length = Int(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}
