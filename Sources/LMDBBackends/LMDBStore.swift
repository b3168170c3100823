import BackendKit
import Foundation

/// A handle on the LMDB environment of a store's folder, used by ``LMDBBackend`` and ``LMDBPlace``.
final class LMDBStore {
  let context: StoreContext
  let path: String
  private var opened: (folder: String, environment: LMDBEnvironment)?

  /// Opens or creates `data.mdb` and `lock.mdb` in the store's folder.
  ///
  /// - Parameters:
  ///   - content: The content of the store. A store with other content is refused.
  ///   - wait: The longest wait for another writer, in seconds.
  /// - Throws: ``StoreError``.
  init(
    _ context: StoreContext, _ content: LMDBMarker, mapSize: Int = LMDBMap.smallest,
    wait: TimeInterval = 5
  ) throws {
    let path = context.path("data.mdb")
    self.context = context
    self.path = path
    opened = try located("open", path) {
      let opened = try LMDBEnvironments.take(
        context.folder, content, mapSize: mapSize, wait: wait)
      do { try LMDBFlush(durability: context.durability).keepNames(in: context.folder) } catch {
        LMDBEnvironments.release(opened.folder)
        throw error
      }
      return opened
    }
  }

  deinit { close() }

  /// Runs reads on the last committed state.
  func read<Result>(_ body: (inout LMDBTransaction) throws -> Result) throws -> Result {
    try located("read", path) { try environment().read(body) }
  }

  /// Runs reads and writes and commits them at the store's durability. An error leaves the store
  /// unchanged.
  func write(_ operation: String, _ body: (inout LMDBTransaction) throws -> Void) throws {
    try located(operation, path) { try environment().write(context.durability, body) }
  }

  func mapSize() throws -> Int { try located("read", path) { try environment().mapSize } }

  /// Releases the environment, which closes it unless another handle uses it.
  func close() {
    if let opened { LMDBEnvironments.release(opened.folder) }
    opened = nil
  }

  private func environment() throws -> LMDBEnvironment {
    guard let opened else { throw LMDBFailure("the store is closed") }
    return opened.environment
  }
}
