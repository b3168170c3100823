import Synchronization

/// A clock that stands still until it is told: a test's stand-in for time.
///
/// Safe to share between threads. After 2^64 ns it starts again at 0.
public final class ManualClock: WallClock, Sendable {
  private let time: Atomic<UInt64>
  private let step: UInt64

  /// Makes a clock that shows `start` and moves on by `step` ns after every reading.
  public init(start: UInt64 = 0, step: UInt64 = 0) {
    time = Atomic(start)
    self.step = step
  }

  /// The time shown, in nanoseconds; the clock then moves on by its step.
  public func now() -> UInt64 {
    time.wrappingAdd(step, ordering: .relaxed).oldValue
  }

  /// Moves the clock on by so many nanoseconds.
  public func advance(by nanoseconds: UInt64) {
    time.wrappingAdd(nanoseconds, ordering: .relaxed)
  }
}
