import BenchProbes
import Foundation
import PersistenceBackends

/// The folder in which a run's stores are made and removed.
struct Storage: Sendable {
  /// The folder asked for.
  let parent: String
  /// The run's own folder in it; its name has the same length in every run.
  let path: String
  /// The folder's file system; nil if unknown.
  let fileSystem: String?

  /// Makes the folder.
  ///
  /// - Throws: a ``CLIError`` where it cannot be made, or lies in memory and must survive a power cut.
  init(in parent: String, durabilities: [Durability]) throws {
    self.parent = parent
    let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    path = URL(fileURLWithPath: parent).path + "/.stores-" + name
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CLIError(
        "no folder for the stores can be made in \(parent): \(error.localizedDescription)",
        help: "choose another with --storage", status: .failed)
    }
    let found = FileSystem(at: path)
    fileSystem = found?.type
    guard durabilities.contains(.durable), let found, found.isMemoryBacked else { return }
    remove()
    throw CLIError(
      "durability 'durable' cannot be measured in \(parent): \(found.type) lies in memory",
      help: "choose a folder on a drive with --storage", status: .usage)
  }

  /// Removes the folder and all that is in it.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
