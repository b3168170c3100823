import Foundation

/// The number of files that the process may have open: starting workers takes a few dozen.
enum FileLimit {
  private static let needed: rlim_t = 64

  /// Asks for more where there are too few.
  ///
  /// - Throws: a ``CLIError`` where the system grants no more.
  static func ensure() throws {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
    let found = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, 1_024)
    guard setrlimit(resource, &limit) == 0, limit.rlim_cur >= needed else {
      throw CLIError(
        "only \(found) files may be open at once, and starting workers takes \(needed)",
        help: "raise the limit: ulimit -n 1024", status: .failed)
    }
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
