import BackendKit
import Foundation

/// One handle on the LMDB environment of a store's folder: what a backend of entities and a place for
/// bytes both stand on.
final class LMDBStore {
  let context: StoreContext
  let path: String
  private var opened: (folder: String, environment: LMDBEnvironment)?

  /// Opens or creates `data.mdb` and `lock.mdb` in the store's folder.
  ///
  /// - Parameters:
  ///   - content: what it keeps; a store of anything else is refused.
  ///   - wait: the bound to the wait for a writer, in seconds.
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
        LMDBEnvironments.giveBack(opened.folder)
        throw error
      }
      return opened
    }
  }

  deinit { close() }

  /// Runs reads on the state that was committed last.
  func read<Result>(_ body: (inout LMDBTransaction) throws -> Result) throws -> Result {
    try located("read", path) { try environment().read(body) }
  }

  /// Runs reads and writes and commits them at the store's durability; an error leaves the store as it
  /// was.
  func write(_ operation: String, _ body: (inout LMDBTransaction) throws -> Void) throws {
    try located(operation, path) { try environment().write(context.durability, body) }
  }

  func mapSize() throws -> Int { try located("read", path) { try environment().mapSize } }

  /// Gives the environment back, which closes it unless another handle has it.
  func close() {
    if let opened { LMDBEnvironments.giveBack(opened.folder) }
    opened = nil
  }

  private func environment() throws -> LMDBEnvironment {
    guard let opened else { throw LMDBFailure("the store is closed") }
    return opened.environment
  }
}
