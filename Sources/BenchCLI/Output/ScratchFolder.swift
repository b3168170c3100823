import BenchEngine
import Foundation

/// The folder of a run's stores, locked during the run.
struct ScratchFolder: Sendable {
  let stores: StoreFolder
  private let lock: FolderLock

  var path: String { stores.path }

  /// Makes and locks the folder, and removes those of killed runs.
  ///
  /// - Throws: `StoreFolderError` if it cannot be made, or is in memory but must survive a power cut.
  init(in parent: String, for cells: [PlannedCell]) throws {
    Self.sweep(URL(fileURLWithPath: parent).path)
    let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    stores = try StoreFolder(".stores-" + name, in: parent, for: cells)
    lock = try FolderLock(stores.path)
  }

  /// Removes the folders of killed runs, which are not locked. Skips those younger than a minute,
  /// since a run locks its folder only shortly after making it.
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
