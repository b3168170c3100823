#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A cap on the memory of this process, so that a runaway worker fails alone.
public enum MemoryLimit {
  /// Refuses the process more private memory than this from now on (setrlimit(2)).
  ///
  /// Limits the data segment on Linux, which counts every private mapping, and the address space
  /// elsewhere. The limit can be moved again, up to the one that the process was started with.
  /// - Returns: why it could not be set; nil if it was.
  public static func apply(bytes: Int) -> String? {
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
