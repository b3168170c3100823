import BackendKit
import Basics
import Foundation

/// How large a map is to be: address space alone, of which the file takes what is written.
enum LMDBMap {
  /// The size that a new store begins with.
  static let smallest = 16 << 20
  /// Sizes are multiples of the largest page that systems have.
  private static let page = 65_536

  static func size(for fileLength: Int, atLeast smallest: Int) -> Int {
    (max(smallest, 2 * fileLength) + page - 1) & ~(page - 1)
  }

  /// Twice the size, as far as the file could grow on the disk.
  ///
  /// - Throws: ``LMDBFailure`` where the disk has no room for more than the map already has.
  static func size(after size: Int, fileLength: Int, free: Int) throws -> Int {
    let (bound, isBeyond) = fileLength.addingReportingOverflow(free)
    let next = min(2 * size, isBeyond ? .max : bound) & ~(page - 1)
    guard next > size else {
      throw LMDBFailure("the map of \(size) bytes is full and the disk has \(free) bytes free")
    }
    return next
  }

  /// The length of the data file, 0 where there is none. The file is not opened: closing it would drop the
  /// process's locks on it.
  ///
  /// - Throws: ``LMDBFailure`` with the system's reason.
  static func fileLength(in folder: String) throws -> Int {
    do { return try length(ofFile: folder + "/data.mdb") } catch { throw LMDBFailure("\(error)") }
  }

  /// The bytes free on the disk of a folder, for who is not root.
  static func free(in folder: String) throws -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { throw LMDBFailure(code: errno) }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
