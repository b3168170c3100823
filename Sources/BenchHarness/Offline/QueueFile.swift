import Foundation
import PersistenceBackends

/// The queue beside the store: the same small JSON file whatever the backend, at the cell's
/// durability.
struct QueueFile {
  private let file: WholeFile
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  init(beside store: StoreContext) {
    file = WholeFile(path: store.path("offline-queue.json"), durability: store.durability)
  }

  /// Replaces the queue.
  func write(_ queue: OfflineQueue) throws {
    try encoder.encode(queue).withUnsafeBytes { try file.write($0) }
  }

  /// The queue written last.
  func read() throws -> OfflineQueue { try decoder.decode(OfflineQueue.self, from: file.read()) }
}
