import Foundation
import PersistenceBackends

/// A folder of a test's own, removed with the last reference to it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "backends-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func store(_ durability: Durability = .atomic) -> StoreContext {
    StoreContext(folder: path, durability: durability)
  }

  /// The names of the files inside, sorted.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
