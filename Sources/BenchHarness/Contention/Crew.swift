import Foundation

/// Threads that are waited for.
final class Crew: @unchecked Sendable {
  private let condition = NSCondition()
  private var working = 0

  /// Does the work on a thread of its own.
  func start(_ work: @escaping @Sendable () -> Void) {
    condition.withLock { working += 1 }
    let thread = Thread { [self] in
      work()
      condition.withLock {
        working -= 1
        condition.signal()
      }
    }
    // As much as the main thread has: a decoder may go deep.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits until all of it is done; `beat` is called all the while.
  func join(_ beat: () -> Void) {
    condition.withLock {
      while working > 0 {
        beat()
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5))
      }
    }
  }
}
