import BenchResults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The most resident memory that the process held during a phase, fixture and code included.
///
/// Source: proc(5): 5 written to `/proc/[pid]/clear_refs` makes the peak (`VmHWM`) start again at
/// what is resident now, so memory that the allocator keeps in reserve is given back first. The
/// kernel counts in pages and by batches of each processor: not exact.
public final class ResidentPeak: Instrument {
  private let status: ProcFile
  private let reset: Int32
  private let reserve = AllocatorReserve()
  private var wasReset = false

  /// Opens the counters and resets the peak once, to see that this is allowed.
  ///
  /// - Throws: ``Unsupported`` where the kernel cannot reset the peak.
  public init() throws(Unsupported) {
    status = try ProcFile("/proc/self/status")
    reset = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard reset >= 0 else { throw .systemError("cannot open /proc/self/clear_refs") }
    guard resetPeak() else { throw .systemError("cannot reset the peak of resident memory") }
    guard status.number("VmHWM:") != nil else {
      throw Unsupported("/proc/self/status has no VmHWM here")
    }
  }

  deinit {
    if reset >= 0 { close(reset) }
  }

  /// The peak in bytes.
  public var metrics: [Metric] { Probe.residentPeak.metrics }

  /// Gives back what the allocator keeps in reserve, and resets the peak.
  public func begin() {
    reserve.release()
    wasReset = resetPeak()
  }

  /// Does nothing: the kernel keeps the peak, and reading it here would count as file I/O.
  public func end() {}

  /// Reads and writes the peak.
  public func store(into values: UnsafeMutablePointer<Double>) {
    guard wasReset, status.read() != nil, let kibibytes = status.number("VmHWM:") else {
      values[0] = .nan
      return
    }
    values[0] = Double(kibibytes) * 1_024
  }

  private func resetPeak() -> Bool {
    var command = UInt8(ascii: "5")
    return pwrite(reset, &command, 1, 0) == 1
  }
}
