import BenchResults

/// Allocations, allocated bytes and the peak of live bytes of a phase.
public final class AllocatorInstrument: Instrument {
  private let counters: any AllocatorCounters
  private var before: AllocatorReading?
  private var after: AllocatorReading?

  /// Makes an instrument that reads these counters.
  public init(_ counters: any AllocatorCounters) {
    self.counters = counters
  }

  /// Allocations, allocated bytes, peak of live bytes.
  public var metrics: [Metric] { Probe.allocator.metrics }

  /// Resets the peak and reads the counters.
  public func begin() {
    counters.resetPeak()
    before = counters.read()
  }

  /// Reads the counters again.
  public func end() { after = counters.read() }

  /// Writes the two differences and the peak.
  public func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = difference(before?.allocations, after?.allocations)
    values[1] = difference(before?.allocatedBytes, after?.allocatedBytes)
    values[2] = difference(before == nil ? nil : 0, after?.peakBytes)
  }
}
