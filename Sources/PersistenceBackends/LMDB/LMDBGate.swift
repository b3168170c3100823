import Foundation

/// Counts the transactions that are running: while the map grows there may be none, as LMDB asks of
/// `mdb_env_set_mapsize` without checking it.
final class LMDBGate: @unchecked Sendable {
  private let condition = NSCondition()
  private var running = 0
  private var isClosed = false

  /// Runs a transaction, after a growth that is going on.
  func passing<Result>(_ body: () throws -> Result) rethrows -> Result {
    change {
      while isClosed { condition.wait() }
      running += 1
    }
    defer { change { running -= 1 } }
    return try body()
  }

  /// Runs what no transaction may be beside; to be called outside of one.
  func closing<Result>(_ body: () throws -> Result) rethrows -> Result {
    change {
      while isClosed { condition.wait() }
      isClosed = true
      while running > 0 { condition.wait() }
    }
    defer { change { isClosed = false } }
    return try body()
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    condition.broadcast()
    condition.unlock()
  }
}
