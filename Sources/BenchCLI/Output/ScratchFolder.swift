import BenchEngine
import Foundation

/// The folder of a run's stores, locked as long as the run lives.
struct ScratchFolder: Sendable {
  let stores: StoreFolder
  private let lock: FolderLock

  /// The run's own folder.
  var path: String { stores.path }

  /// Makes the folder.
  ///
  /// - Throws: `StoreFolderError` where it cannot be made, or lies in memory and must survive a power cut.
  init(in parent: String, for cells: [PlannedCell]) throws {
    Self.sweep(URL(fileURLWithPath: parent).path)
    let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    stores = try StoreFolder(".stores-" + name, in: parent, for: cells)
    lock = try FolderLock(stores.path)
  }

  /// Removes what runs left here that were killed: nobody holds the lock, which a run takes within
  /// moments of making its folder.
  private static func sweep(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(".stores-") && name.utf8.count == 16 {
      let path = folder + "/" + name
      let made = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      guard let made, made.timeIntervalSinceNow < -60, !FolderLock.isHeld(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  func remove() { stores.remove() }
}
