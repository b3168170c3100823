import Basics
import BenchResults

/// The peak of resident memory of the process during a phase, including the fixture and the code.
///
/// Source: proc(5). Writing 5 to `/proc/[pid]/clear_refs` resets the peak (`VmHWM`) to the memory
/// that is resident now, so the allocator's reserve is returned first. The value is not exact: the
/// kernel counts in pages and updates it in batches for each processor.
package final class ResidentPeak: Instrument {
  private let status: ProcFile
  private let reset: Int32
  private let reserve = AllocatorReserve()
  private var wasReset = false

  /// Opens the counters and resets the peak once, to check that this is allowed.
  ///
  /// - Throws: ``Unsupported`` if the kernel cannot reset the peak.
  package init() throws(Unsupported) {
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

  package var metrics: [Metric] { Probe.residentPeak.metrics }

  /// Returns the allocator's reserve to the system and resets the peak.
  package func begin() {
    reserve.release()
    wasReset = resetPeak()
  }

  /// Does nothing: the kernel keeps the peak, and reading it here would count as file I/O.
  package func end() {}

  package func store(into values: UnsafeMutablePointer<Double>) {
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

/// The peak of resident memory of this process since its start, including the code.
package enum PeakMemory {
  /// Returns the peak so far in bytes, or nil if the system does not report it.
  ///
  /// Source: `VmHWM` of proc(5) on Linux. getrusage(2) is wrong there: its figure outlives exec(2),
  /// so it includes the parent's peak if that was higher.
  package static func read() -> Int? {
    #if canImport(Darwin)
      var usage = rusage()
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return usage.ru_maxrss
    #else
      let status = try? ProcFile("/proc/self/status")
      return status?.number("VmHWM:").map { Int($0) * 1_024 }
    #endif
  }
}

/// A limit on the memory of this process, so that a runaway worker fails alone.
package enum MemoryLimit {
  /// Limits the private memory of this process (setrlimit(2)).
  ///
  /// On Linux it limits the data segment, which includes every private mapping, elsewhere the address
  /// space. You can change the limit again, up to the one that the process was started with.
  /// - Returns: the reason why it could not be set, or nil if it was.
  package static func apply(bytes: Int) -> String? {
    guard bytes > 0 else { return "a memory limit of \(bytes) bytes" }
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return reason("getrlimit") }
    limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
    guard setrlimit(resource, &limit) == 0 else { return reason("setrlimit") }
    return nil
  }

  private static func reason(_ call: String) -> String {
    Unsupported.systemError(call).reason
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
  #elseif canImport(Musl)
    private static let resource = RLIMIT_DATA
  #else
    private static let resource = RLIMIT_AS
  #endif
}
