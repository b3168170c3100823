import BackendKit
import Basics
import Foundation

/// The size of a map. It is only address space. The file takes as much disk as is written.
enum LMDBMap {
  /// The size of a new store's map.
  static let smallest = 16 << 20
  /// Sizes are multiples of this, the largest page size of any system.
  private static let page = 65_536

  static func size(for fileLength: Int, atLeast smallest: Int) -> Int {
    (max(smallest, 2 * fileLength) + page - 1) & ~(page - 1)
  }

  /// Returns twice the size, but not more than the file can grow on the disk.
  ///
  /// - Throws: ``LMDBFailure`` if the disk has no room beyond the size of the map.
  static func size(after size: Int, fileLength: Int, free: Int) throws -> Int {
    let (bound, isBeyond) = fileLength.addingReportingOverflow(free)
    let next = min(2 * size, isBeyond ? .max : bound) & ~(page - 1)
    guard next > size else {
      throw LMDBFailure("the map of \(size) bytes is full and the disk has \(free) bytes free")
    }
    return next
  }

  /// Returns the length of the data file, or 0 if there is none. It does not open the file: closing
  /// it would drop the process's locks on it.
  ///
  /// - Throws: ``LMDBFailure`` with the system's reason.
  static func fileLength(in folder: String) throws -> Int {
    do { return try length(ofFile: folder + "/data.mdb") } catch { throw LMDBFailure("\(error)") }
  }

  /// Returns the free bytes on the disk of a folder that a user other than root can use.
  static func free(in folder: String) throws -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { throw LMDBFailure(code: errno) }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
