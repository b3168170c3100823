import Basics
import BenchResults

#if Jemalloc
  import CJemalloc
#endif

#if Jemalloc
  /// One entry of jemalloc's control tree, its name looked up once.
  final class JemallocControl {
    private let path: UnsafeMutablePointer<Int>
    private var length = JemallocControl.deepest

    private static let deepest = 8

    /// Looks the name up.
    ///
    /// - Throws: ``Unsupported`` if this jemalloc does not know the name.
    init(_ name: String) throws(Unsupported) {
      path = .allocate(capacity: Self.deepest)
      path.initialize(repeating: 0, count: Self.deepest)
      let code = jemalloc_name_to_mib(name, path, &length)
      guard code == 0 else { throw .systemError("jemalloc has no \(name)", code: code) }
    }

    deinit { path.deallocate() }

    /// The entry's value; nil if it has none.
    func read() -> UInt64? {
      var value: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      guard jemalloc_ctl_by_mib(path, length, &value, &size, nil, 0) == 0 else { return nil }
      return value
    }

    /// Sets the entry, and says whether that worked.
    func write(_ value: UInt64) -> Bool {
      var value = value
      return jemalloc_ctl_by_mib(path, length, nil, nil, &value, MemoryLayout<UInt64>.size) == 0
    }

    /// Does what the entry stands for, and says whether that worked.
    @discardableResult
    func call() -> Bool {
      jemalloc_ctl_by_mib(path, length, nil, nil, nil, 0) == 0
    }
  }
#endif

/// jemalloc's counters: bytes and peak of the calling thread, allocations of the whole process.
///
/// Source: jemalloc(3), `thread.*` and `stats.arenas.<i>.*`. Bytes are exact. Allocations are exact
/// because the thread's cache is flushed first, which alone brings its requests into the statistics.
/// The peak may be too low by up to ``peakResolution``; see ``resetPeak()`` for why it is
/// nevertheless the same whenever the same work is done.
package final class JemallocCounters: AllocatorCounters {
  /// How many bytes jemalloc hands out or takes back between two looks at the peak.
  ///
  /// `PEAK_EVENT_WAIT` in jemalloc's peak_event.c; a phase that allocates less may show a peak of 0.
  package static let peakResolution = Int(Metric.peakHeapResolution)

  #if Jemalloc
    private let allocated: JemallocControl
    private let deallocated: JemallocControl
    private let peak: JemallocControl
    private let peakReset: JemallocControl
    private let cacheFlush: JemallocControl
    private let epoch: JemallocControl
    private let smallRequests: JemallocControl
    private let largeRequests: JemallocControl

    /// Looks the counters up, and makes sure that this jemalloc is what serves malloc.
    ///
    /// - Throws: ``Unsupported`` if it does not, or was built without statistics.
    package init() throws(Unsupported) {
      allocated = try JemallocControl("thread.allocated")
      deallocated = try JemallocControl("thread.deallocated")
      peak = try JemallocControl("thread.peak.read")
      peakReset = try JemallocControl("thread.peak.reset")
      cacheFlush = try JemallocControl("thread.tcache.flush")
      epoch = try JemallocControl("epoch")
      // 4096 is MALLCTL_ARENAS_ALL, a macro that Swift cannot import.
      smallRequests = try JemallocControl("stats.arenas.4096.small.nrequests")
      largeRequests = try JemallocControl("stats.arenas.4096.large.nrequests")
      guard let before = read() else { throw Unsupported("jemalloc does not give its statistics") }
      Self.allocateAndFree(1_000)
      guard let after = read(), after.allocatedBytes > before.allocatedBytes else {
        throw Unsupported("jemalloc is linked but malloc is served by another allocator")
      }
    }

    /// Makes the bytes that are live now the level from which the peak is counted.
    ///
    /// A block larger than the resolution, taken and given back, makes jemalloc look at the peak, so
    /// that its next looks are counted from the same point of every phase.
    package func resetPeak() {
      Self.allocateAndFree(2 * Self.peakResolution)
      peakReset.call()
    }

    /// Reads the counters, those of the thread before anything that might move them.
    package func read() -> AllocatorReading? {
      guard let bytes = allocated.read(), let peak = peak.read() else { return nil }
      guard cacheFlush.call(), epoch.write(1) else { return nil }
      guard let small = smallRequests.read(), let large = largeRequests.read() else { return nil }
      return AllocatorReading(
        allocations: small &+ large, allocatedBytes: bytes, peakBytes: peak)
    }

    /// Bytes that this thread allocated less those that it freed; nil where jemalloc gives none.
    package var liveBytes: Int? {
      guard let allocated = allocated.read(), let freed = deallocated.read() else { return nil }
      return Int(truncatingIfNeeded: allocated &- freed)
    }

    /// The optimiser would otherwise remove an allocation that nobody uses.
    private static func allocateAndFree(_ bytes: Int) {
      let block = malloc(bytes)
      blackHole(block)
      free(block)
    }
  #else
    /// Always refuses.
    ///
    /// - Throws: ``Unsupported``: this build has no jemalloc.
    package init() throws(Unsupported) {
      throw Unsupported("built without jemalloc")
    }

    /// Does nothing.
    package func resetPeak() {}

    /// Never has a reading.
    package func read() -> AllocatorReading? { nil }

    /// Never has a figure.
    package var liveBytes: Int? { nil }
  #endif
}
