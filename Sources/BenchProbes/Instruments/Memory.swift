import Basics
import BenchResults

/// The most resident memory that the process held during a phase, fixture and code included.
///
/// Source: proc(5): 5 written to `/proc/[pid]/clear_refs` makes the peak (`VmHWM`) start again at
/// what is resident now, so memory that the allocator keeps in reserve is given back first. The
/// kernel counts in pages and by batches of each processor: not exact.
package final class ResidentPeak: Instrument {
  private let status: ProcFile
  private let reset: Int32
  private let reserve = AllocatorReserve()
  private var wasReset = false

  /// Opens the counters and resets the peak once, to see that this is allowed.
  ///
  /// - Throws: ``Unsupported`` where the kernel cannot reset the peak.
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

  /// Gives back what the allocator keeps in reserve, and resets the peak.
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

/// The most resident memory that this process has held since it was started, code included.
package enum PeakMemory {
  /// The peak so far in bytes; nil where the system does not say.
  ///
  /// Source: `VmHWM` of proc(5). Not getrusage(2) there: its figure outlives exec(2), and so is that
  /// of whoever started the process where that one was larger.
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

/// A cap on the memory of this process, so that a runaway worker fails alone.
package enum MemoryLimit {
  /// Refuses the process more private memory than this from now on (setrlimit(2)).
  ///
  /// Limits the data segment on Linux, which counts every private mapping, and the address space
  /// elsewhere. The limit can be moved again, up to the one that the process was started with.
  /// - Returns: why it could not be set; nil if it was.
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
