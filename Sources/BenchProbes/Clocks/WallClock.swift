/// A clock that measures elapsed time and never goes back.
///
/// A protocol, so that the tests of a runner can put a ``ManualClock`` in place of time.
public protocol WallClock {
  /// Nanoseconds since a moment that stays the same while the process lives.
  func now() -> UInt64
}
