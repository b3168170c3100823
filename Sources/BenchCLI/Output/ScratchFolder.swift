import Basics
import BenchProbes
import Foundation
import PersistenceBackends

/// The folder in which a run's stores are made and removed.
struct ScratchFolder: Sendable {
  /// The folder asked for.
  let parent: String
  /// The run's own folder in it, locked as long as the run lives.
  let path: String
  /// The folder's file system; nil if unknown.
  let fileSystem: String?
  private let lock: FolderLock

  /// Makes the folder.
  ///
  /// - Throws: a ``CLIError`` where it cannot be made, or lies in memory and must survive a power cut.
  init(in parent: String, durabilities: [Durability]) throws {
    self.parent = parent
    let folder = URL(fileURLWithPath: parent).path
    Self.sweep(folder)
    let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    path = folder + "/.stores-" + name
    do {
      try makeFolder(path)
    } catch {
      throw CLIError(
        "no folder for the stores can be made in \(parent): \(systemReason(error))",
        help: "choose another with --storage", status: .failed)
    }
    lock = try FolderLock(ofRun: path)
    let found = FileSystem(at: path)
    fileSystem = found?.type
    guard durabilities.contains(.durable), let found, found.isMemoryBacked else { return }
    remove()
    throw CLIError(
      "durability 'durable' cannot be measured in \(parent): \(found.type) lies in memory",
      help: "choose a folder on a drive with --storage", status: .usage)
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

  /// Removes the folder and all that is in it.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
