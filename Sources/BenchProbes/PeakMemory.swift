#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The most resident memory that this process has held since it was started, code included.
public enum PeakMemory {
  /// The peak so far in bytes; nil where the system does not say.
  ///
  /// Source: `VmHWM` of proc(5). Not getrusage(2) there: its figure outlives exec(2), and so is that
  /// of whoever started the process where that one was larger.
  public static func read() -> Int? {
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
