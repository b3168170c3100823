import BenchResults

/// The allocator's counters that one phase needs.
///
/// A protocol, so that tests can supply exact figures. Neither method may allocate.
package protocol AllocatorCounters: AnyObject {
  /// Sets the number of live bytes as the level from which the peak is counted.
  func resetPeak()

  /// Reads the counters, or returns nil if the allocator refuses.
  func read() -> AllocatorReading?
}

/// An allocator's counts at one moment.
package struct AllocatorReading: Hashable, Sendable {
  /// Allocations of all threads since the process began.
  package var allocations: UInt64
  /// Allocations of this thread alone.
  package var ownAllocations: UInt64
  /// Bytes handed out since the process began, freed or not, rounded up as the allocator does.
  package var allocatedBytes: UInt64
  /// The peak of this thread's live bytes since the reset, minus those that were live at the reset.
  package var peakBytes: UInt64
}

/// Allocations, allocated bytes and the peak of live bytes of a phase.
///
/// The first two count the whole process. The peak is that of one thread. It is refused if another
/// thread allocates during the phase, since the threads' peaks do not add up to that of the process.
package final class AllocatorInstrument: Instrument {
  private let counters: any AllocatorCounters
  private var before: AllocatorReading?
  private var after: AllocatorReading?

  package init(_ counters: any AllocatorCounters) {
    self.counters = counters
  }

  package var metrics: [Metric] { Probe.allocator.metrics }

  /// The reason for a refused peak.
  package let refusal: String? = "another thread allocates"

  package func begin() {
    counters.resetPeak()
    before = counters.read()
  }

  package func end() { after = counters.read() }

  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = difference(before?.allocations, after?.allocations)
    values[1] = difference(before?.allocatedBytes, after?.allocatedBytes)
    values[2] = difference(before == nil ? nil : 0, after?.peakBytes)
    let own = difference(before?.ownAllocations, after?.ownAllocations)
    if !own.isNaN, values[0] != own { values[2] = .infinity }
  }
}

/// Freed memory that glibc keeps resident for later allocations.
struct AllocatorReserve {
  // Looked up by name, since Swift cannot import it from `stdlib.h`.
  private let trim = LoadedSymbol.find("malloc_trim", as: (@convention(c) (Int) -> Int32).self)

  /// Returns the memory to the system. Does nothing if malloc is not glibc's.
  func release() { _ = trim?(0) }
}
