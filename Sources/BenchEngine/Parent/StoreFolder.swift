import BackendKit
import Basics
import BenchProbes
import BenchResults
import Foundation

/// The folder in which a run's stores are made and removed.
package struct StoreFolder: Sendable {
  package let parent: String
  /// The run's own in it.
  package let path: String
  /// The kind of the folder's file system; nil if unknown.
  package let fileSystem: String?

  /// - Throws: ``StoreFolderError`` where it cannot be made, or lies in memory and must survive a power cut.
  package init(
    _ name: String, in parent: String, for cells: [PlannedCell]
  ) throws(StoreFolderError) {
    self.parent = parent
    path = URL(fileURLWithPath: parent).path + "/" + name
    do {
      try makeFolder(path)
    } catch {
      throw .unmade(parent: parent, reason: systemReason(error))
    }
    let found = FileSystem(at: path)
    fileSystem = found?.type
    let isDurable = cells.contains { $0.cell.durability == Durability.durable.rawValue }
    guard isDurable, let found, found.isMemoryBacked else { return }
    remove()
    throw .inMemory(parent: parent, fileSystem: found.type)
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }
}

package enum StoreFolderError: UserFacingError, Equatable {
  case unmade(parent: String, reason: String)
  case inMemory(parent: String, fileSystem: String)

  package var message: String {
    switch self {
    case .unmade(let parent, let reason):
      "no folder for the stores can be made in \(parent): \(reason)"
    case .inMemory(let parent, let fileSystem):
      "durability 'durable' cannot be measured in \(parent): \(fileSystem) lies in memory"
    }
  }

  package var help: String? {
    switch self {
    case .unmade: "choose another with --storage"
    case .inMemory: "choose a folder on a drive with --storage"
    }
  }

  package var kind: FailureKind {
    switch self {
    case .unmade: .failed
    case .inMemory: .usage
    }
  }
}
