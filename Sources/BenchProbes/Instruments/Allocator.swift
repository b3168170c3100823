import BenchResults

/// An allocator's own counts, as far as one phase needs them.
///
/// A protocol, so that a stand-in can give exact figures to a test. Neither method may allocate.
package protocol AllocatorCounters: AnyObject {
  /// Makes the bytes that are live now the level from which the peak is counted.
  func resetPeak()

  /// Reads the counters; nil where the allocator refused.
  func read() -> AllocatorReading?
}

/// An allocator's counts at one moment.
package struct AllocatorReading: Hashable, Sendable {
  /// Allocations served since the process began, to whichever thread.
  package var allocations: UInt64
  /// Those of them that this thread asked for.
  package var ownAllocations: UInt64
  /// Bytes handed out since the process began, freed or not, rounded up as the allocator does.
  package var allocatedBytes: UInt64
  /// The most bytes of this thread live at once since the peak was reset, less what was live then.
  package var peakBytes: UInt64
}

/// Allocations, allocated bytes and the peak of live bytes of a phase.
///
/// The first two are of the whole process. The peak is of one thread, and refused of a phase in which
/// another one allocates, too: their peaks are not the process's.
package final class AllocatorInstrument: Instrument {
  private let counters: any AllocatorCounters
  private var before: AllocatorReading?
  private var after: AllocatorReading?

  package init(_ counters: any AllocatorCounters) {
    self.counters = counters
  }

  package var metrics: [Metric] { Probe.allocator.metrics }

  /// Why a peak is refused.
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

/// Freed memory that glibc keeps resident, to hand it out again sooner.
struct AllocatorReserve {
  // Not `stdlib.h`'s: Swift cannot import it.
  private let trim = LoadedSymbol.find("malloc_trim", as: (@convention(c) (Int) -> Int32).self)

  /// Gives it back to the system; does nothing where malloc is not glibc's.
  func release() { _ = trim?(0) }
}
