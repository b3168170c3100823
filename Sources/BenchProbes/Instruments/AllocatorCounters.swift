/// An allocator's own counts, as far as one phase needs them.
///
/// A protocol, so that a ``ManualAllocator`` can stand in where exact figures are wanted of a test.
/// Neither method may allocate.
public protocol AllocatorCounters: AnyObject {
  /// Makes the bytes that are live now the level from which the peak is counted.
  func resetPeak()

  /// Reads the counters; nil where the allocator refused.
  func read() -> AllocatorReading?
}

/// An allocator's counts at one moment.
public struct AllocatorReading: Hashable, Sendable {
  /// Allocations served since the process began.
  public var allocations: UInt64
  /// Bytes handed out since the process began, freed or not, rounded up as the allocator does.
  public var allocatedBytes: UInt64
  /// The most bytes live at once since the peak was reset, less what was live then.
  public var peakBytes: UInt64

  /// Makes a reading.
  public init(allocations: UInt64, allocatedBytes: UInt64, peakBytes: UInt64) {
    self.allocations = allocations
    self.allocatedBytes = allocatedBytes
    self.peakBytes = peakBytes
  }
}
