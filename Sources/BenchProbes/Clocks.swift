import Basics
import Synchronization

/// A clock that measures elapsed time and never goes back.
///
/// A protocol, so that the tests of a runner can put a ``ManualClock`` in place of time.
public protocol WallClock {
  /// Nanoseconds since a moment that stays the same while the process lives.
  func now() -> UInt64
}

/// The system's steady clock: `CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on Apple.
public struct MonotonicClock: WallClock, Sendable {
  /// Makes a clock; all of them agree.
  @inlinable
  public init() {}

  /// Nanoseconds since the system started, time asleep not counted.
  @inlinable @inline(__always)
  public func now() -> UInt64 {
    #if canImport(Darwin)
      return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
        &+ UInt64(bitPattern: Int64(time.tv_nsec))
    #endif
  }
}

/// A clock that stands still until it is told: a test's stand-in for time.
///
/// Safe to share between threads. After 2^64 ns it starts again at 0.
package final class ManualClock: WallClock, Sendable {
  private let time: Atomic<UInt64>
  private let step: UInt64

  /// Makes a clock that shows `start` and moves on by `step` ns after every reading.
  package init(start: UInt64 = 0, step: UInt64 = 0) {
    time = Atomic(start)
    self.step = step
  }

  /// The time shown, in nanoseconds; the clock then moves on by its step.
  package func now() -> UInt64 {
    time.wrappingAdd(step, ordering: .relaxed).oldValue
  }

  package func advance(by nanoseconds: UInt64) {
    time.wrappingAdd(nanoseconds, ordering: .relaxed)
  }
}
