import BenchProbes
import Foundation

/// Reads that are due at a fixed rate, however long those before them took.
///
/// A read's latency counts from when it was due, not from when it could begin. Whoever waits for a
/// slow read before asking again never sees how long the others would have waited: G. Tene's
/// coordinated omission ("How NOT to Measure Latency", 2013).
struct Timetable<Clock: WallClock> {
  private let clock: Clock
  private let wait: (UInt64) -> Void
  private let rate: UInt64
  private var start: UInt64
  private var taken: UInt64 = 0

  /// - Parameters:
  ///   - rate: reads a second.
  ///   - start: when the first is due, on the clock.
  ///   - wait: waits until a time of the clock.
  init(rate: Int, from start: UInt64, clock: Clock, wait: @escaping (UInt64) -> Void) {
    self.rate = UInt64(rate)
    self.start = start
    self.clock = clock
    self.wait = wait
  }

  /// When the next read is due.
  var due: UInt64 { start + taken * 1_000_000_000 / rate }

  /// Waits until the next read is due.
  func waitForNext() { wait(due) }

  /// Does the next read, and gives its latency in nanoseconds. Checking what was read is no part of
  /// it: where a check is still under way when the next read is due, all that follow are put off.
  mutating func take<Found>(
    _ read: () throws -> Found, check: (Found) throws -> Void
  ) rethrows -> UInt64 {
    let wanted = due
    let found = try read()
    let done = clock.now()
    taken += 1
    let free = max(due, done)
    try check(found)
    let checked = clock.now()
    if checked > free { start += checked - free }
    return done - wanted
  }
}

/// Waits of the ``MonotonicClock``.
enum Pause {
  /// How late the system may wake a thread; the rest is waited for by looking at the clock.
  private static let slack: UInt64 = 200_000

  /// Waits until a time of the clock.
  static func until(_ time: UInt64) {
    let clock = MonotonicClock()
    let now = clock.now()
    if time > now + slack {
      Thread.sleep(forTimeInterval: Double(time - slack - now) / 1e9)
    }
    while clock.now() < time {}
  }
}
