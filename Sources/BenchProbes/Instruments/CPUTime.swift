import BenchResults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// CPU time of every thread of the process, user and system (`CLOCK_PROCESS_CPUTIME_ID`).
public final class CPUTime: Instrument {
  private var before: Int64?
  private var after: Int64?

  /// Makes the instrument, which every system has.
  public init() {}

  /// CPU time in nanoseconds.
  public var metrics: [Metric] { Probe.cpu.metrics }

  /// Reads the clock.
  public func begin() { before = Self.read() }

  /// Reads the clock again.
  public func end() { after = Self.read() }

  /// Writes the difference.
  public func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = difference(before, after)
  }

  private static func read() -> Int64? {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
