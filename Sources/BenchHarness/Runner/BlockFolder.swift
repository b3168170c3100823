import Foundation
import PersistenceBackends

/// An empty folder for one block's store.
struct BlockFolder {
  let path: String

  /// Makes the folder, after whatever an earlier block left there; blocks that run at once have a slot
  /// each.
  init(in storage: String, slot: Int = 0) throws {
    path = storage + "/store-\(slot)"
    remove()
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    } catch {
      throw StorageError(
        operation: "create a folder at", path: path, reason: error.localizedDescription)
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
