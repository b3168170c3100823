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
    while true {
      let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
      let made = try StoreFolder(".stores-" + name, in: parent, for: cells)
      // Before it was locked, another run may have taken it for a killed run's and removed it.
      guard let held = try FolderLock(made.path), SafeFile.exists(made.path) else { continue }
      (stores, lock) = (made, held)
      return
    }
  }

  /// Removes the folders of killed runs, which are not locked.
  private static func sweep(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(".stores-") && name.utf8.count == 16 {
      guard let lock = try? FolderLock(folder + "/" + name) else { continue }
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
      // Until now its maker could not take it.
      lock.release()
    }
  }

  func remove() { stores.remove() }
}
