/// Counters that move only when they are told: a test's stand-in for an allocator.
public final class ManualAllocator: AllocatorCounters {
  private var reading = AllocatorReading(allocations: 0, allocatedBytes: 0, peakBytes: 0)
  private var live: Int64 = 0

  /// Whether the allocator answers; false makes every reading fail.
  public var answers = true

  /// Makes an allocator that has served nothing.
  public init() {}

  /// Counts one allocation.
  public func allocate(_ bytes: UInt32) {
    reading.allocations &+= 1
    reading.allocatedBytes &+= UInt64(bytes)
    live &+= Int64(bytes)
    reading.peakBytes = max(reading.peakBytes, UInt64(clamping: live))
  }

  /// Counts so many bytes as given back.
  public func free(_ bytes: UInt32) { live &-= Int64(bytes) }

  /// Counts the peak from here.
  public func resetPeak() {
    live = 0
    reading.peakBytes = 0
  }

  /// The counts so far.
  public func read() -> AllocatorReading? { answers ? reading : nil }
}
