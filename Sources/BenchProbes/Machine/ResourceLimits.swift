import Basics
import CProfiler

/// The files, address space and threads that bench needs from the system.
package enum ResourceLimits {
  /// The number of open files: starting workers needs a few dozen.
  private static let files: rlim_t = 64
  /// Bytes of address space. Swift ends the process if memory is refused. Reading a worker's output
  /// needs some 0.3 GB of addresses, in addition to libraries and threads.
  private static let addresses: rlim_t = 1_000_000_000
  /// Threads of this process and of its workers. Without enough of them Swift waits forever.
  private static let threads: Int32 = 24

  /// Raises the limit of open files if needed.
  ///
  /// - Throws: a `Refusal` if files or addresses are too few.
  package static func ensure() throws(Refusal) {
    try ensureFiles()
    guard let limit = limit(RLIMIT_AS), limit.rlim_cur < addresses else { return }
    let megabytes = (limit.rlim_cur + 500_000) / 1_000_000
    throw Refusal(
      "only \(megabytes) MB of address space may be used, and bench needs up to 1.00 GB",
      help: "raise the limit: ulimit -v unlimited. --memory-limit limits the workers")
  }

  /// Tries to start as many threads as measuring needs, since limits also count the threads of other
  /// programs of a user or a container.
  ///
  /// - Throws: a `Refusal` if there are fewer.
  package static func ensureThreads() throws(Refusal) {
    let found = startable_threads(threads)
    guard found < threads else { return }
    throw Refusal(
      "only \(found) threads can be started at once, and measuring needs \(threads)",
      help: "raise the limit: ulimit -u 1024, or end other programs")
  }

  private static func ensureFiles() throws(Refusal) {
    guard var limit = limit(RLIMIT_NOFILE), limit.rlim_cur < files else { return }
    let found = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, 1_024)
    guard setrlimit(resource(RLIMIT_NOFILE), &limit) == 0, limit.rlim_cur >= files else {
      throw Refusal(
        "only \(found) files may be open at once, and starting workers needs \(files)",
        help: "raise the limit: ulimit -n 1024")
    }
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
    private static func resource(_ which: Resource) -> __rlimit_resource_t {
      __rlimit_resource_t(which.rawValue)
    }
  #else
    private typealias Resource = Int32
    private static func resource(_ which: Resource) -> Int32 { which }
  #endif

  /// Returns a limit, or nil if the system does not report it.
  private static func limit(_ which: Resource) -> rlimit? {
    var limit = rlimit()
    return getrlimit(resource(which), &limit) == 0 ? limit : nil
  }
}
