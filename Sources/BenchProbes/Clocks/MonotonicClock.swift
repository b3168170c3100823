#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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

  /// The resolution in nanoseconds that the system claims (`clock_getres`); nil if it does not say.
  public static var claimedResolution: Double? {
    var step = timespec()
    #if canImport(Darwin)
      guard clock_getres(CLOCK_UPTIME_RAW, &step) == 0 else { return nil }
    #else
      guard clock_getres(CLOCK_MONOTONIC, &step) == 0 else { return nil }
    #endif
    return Double(step.tv_sec) * 1e9 + Double(step.tv_nsec)
  }
}
