import BenchResults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Instructions that the calling thread retired in user space, by the processor's own counter.
///
/// Source: perf_event_open(2), Linux only; virtual machines and hosted CI runners seldom have it.
public final class Instructions: Instrument {
  /// The name under which a machine's description has this counter.
  public static let source = "perf_event"

  /// Why the processor's counter cannot be had here; nil where it can.
  public static var refusal: String? {
    do throws(Unsupported) {
      _ = try Instructions()
      return nil
    } catch {
      return error.reason
    }
  }

  private let counter: Int32

  /// Opens a counter of the calling thread.
  ///
  /// - Throws: ``Unsupported`` with the system's reason.
  public init() throws(Unsupported) {
    #if os(Linux)
      counter = try PerfEvent.openInstructions()
      guard count() != nil else { throw .systemError("cannot read the instruction counter") }
    #else
      counter = -1
      throw Unsupported("no perf_event_open on this system")
    #endif
  }

  deinit {
    if counter >= 0 { close(counter) }
  }

  /// The number of instructions.
  public var metrics: [Metric] { Probe.instructions.metrics }

  /// Sets the counter to 0 and lets it run.
  public func begin() {
    #if os(Linux)
      PerfEvent.control(counter, PerfEvent.reset)
      PerfEvent.control(counter, PerfEvent.enable)
    #endif
  }

  /// Stops the counter; an ioctl, which file I/O does not count as a read.
  public func end() {
    #if os(Linux)
      PerfEvent.control(counter, PerfEvent.disable)
    #endif
  }

  /// Reads and writes the count.
  public func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = count().map { Double($0) } ?? .nan
  }

  private func count() -> UInt64? {
    var value: UInt64 = 0
    let size = MemoryLayout<UInt64>.size
    return read(counter, &value, size) == size ? value : nil
  }
}
