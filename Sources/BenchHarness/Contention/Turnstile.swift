import Foundation

/// Lets threads use one thing one after the other, in the order in which they come: what an app with
/// one context and one queue has. A plain lock would let who just had it have it again.
final class Turnstile: @unchecked Sendable {
  private let condition = NSCondition()
  private var given = 0
  private var admitted = 0

  /// Waits for a turn, and does the work in it.
  func take<Result>(_ work: () throws -> Result) rethrows -> Result {
    condition.lock()
    let mine = given
    given += 1
    while admitted != mine { condition.wait() }
    condition.unlock()
    defer { leave() }
    return try work()
  }

  private func leave() {
    condition.lock()
    admitted += 1
    condition.broadcast()
    condition.unlock()
  }
}

extension Turnstile? {
  /// Takes a turn where there are turns to take.
  func take<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let self else { return try work() }
    return try self.take(work)
  }
}
