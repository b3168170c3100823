import Basics
import Synchronization

/// A clock that measures elapsed time and never goes back.
///
/// A protocol, so that tests can use a ``ManualClock``.
public protocol WallClock {
  /// Returns nanoseconds since a moment that is fixed while the process lives.
  func now() -> UInt64
}

/// The system's steady clock: `CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on Apple.
public struct MonotonicClock: WallClock, Sendable {
  /// Creates a clock. All instances agree.
  @inlinable
  public init() {}

  /// Returns nanoseconds since the system started, without the time asleep.
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

/// A clock for tests that moves only by its step or on request.
///
/// Safe to share between threads. After 2^64 ns it starts again at 0.
package final class ManualClock: WallClock, Sendable {
  private let time: Atomic<UInt64>
  private let step: UInt64

  /// Creates a clock that shows `start` and advances by `step` ns after every reading.
  package init(start: UInt64 = 0, step: UInt64 = 0) {
    time = Atomic(start)
    self.step = step
  }

  /// Returns the time in nanoseconds, then advances the clock by its step.
  package func now() -> UInt64 {
    time.wrappingAdd(step, ordering: .relaxed).oldValue
  }

  package func advance(by nanoseconds: UInt64) {
    time.wrappingAdd(nanoseconds, ordering: .relaxed)
  }
}
