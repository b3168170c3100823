import BackendKit
import Basics
import BenchProbes
import BenchResults
import Foundation

/// The folder in which a run makes and removes its stores.
package struct StoreFolder: Sendable {
  package let parent: String
  /// The run's own folder in ``parent``.
  package let path: String
  /// The type of the folder's file system, or nil if unknown.
  package let fileSystem: String?

  /// - Throws: ``StoreFolderError`` if it cannot be made, or is in memory although a cell is `durable`.
  package init(
    _ name: String, in parent: String, for cells: [PlannedCell]
  ) throws(StoreFolderError) {
    self.parent = parent
    path = URL(fileURLWithPath: parent).path + "/" + name
    do {
      try makeFolder(path)
    } catch {
      throw StoreFolderError(
        message: "cannot make a folder for the stores in \(parent): \(systemReason(error))",
        isInMemory: false)
    }
    let found = FileSystem(at: path)
    fileSystem = found?.type
    let isDurable = cells.contains { $0.cell.durability == Durability.durable.rawValue }
    guard isDurable, let found, found.isMemoryBacked else { return }
    remove()
    throw StoreFolderError(
      message: "durability 'durable' cannot be measured in \(parent): \(found.type) is in memory",
      isInMemory: true)
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }
}

package struct StoreFolderError: UserFacingError {
  package let message: String
  /// Whether the folder is in memory although a cell is `durable`. Otherwise it cannot be made.
  package let isInMemory: Bool

  package var help: String? {
    "choose \(isInMemory ? "a folder on a drive" : "another") with --storage"
  }

  package var kind: FailureKind { isInMemory ? .usage : .failed }
}
