import BenchResults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Page faults of the process, with and without a drive (getrusage(2)).
public final class PageFaults: Instrument {
  private var before: Int?
  private var after: Int?

  /// Makes the instrument, which every system has.
  public init() {}

  /// The number of page faults.
  public var metrics: [Metric] { Probe.pageFaults.metrics }

  /// Reads the counters.
  public func begin() { before = Self.read() }

  /// Reads the counters again.
  public func end() { after = Self.read() }

  /// Writes the difference.
  public func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = difference(before, after)
  }

  private static func read() -> Int? {
    var usage = rusage()
    #if canImport(Glibc)
      let code = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      let code = getrusage(RUSAGE_SELF, &usage)
    #endif
    return code == 0 ? usage.ru_minflt &+ usage.ru_majflt : nil
  }
}
