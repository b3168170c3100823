/// Where a run was measured: what makes its figures mean something.
///
/// Every unknown is nil, never an empty text or 0.
public struct Machine: Hashable, Codable, Sendable, RecordPart {
  /// The processor's model name.
  public var cpu: String?
  /// The processor's feature flags, sorted: libraries choose other code by them.
  public var cpuFlags: [String]?
  /// Logical processors that the process may use.
  public var cores: Int?
  /// Physical memory in bytes.
  public var memoryBytes: Int?
  /// The operating system's name and version.
  public var system: String?
  /// The kernel's release.
  public var kernel: String?
  /// The compiler's version.
  public var swift: String?
  /// The SQLite library's version, with the options of its build that reach into what is counted.
  public var sqlite: String?
  /// The allocator that serves malloc while times are taken, with its version.
  public var allocator: String?
  /// The allocator that serves malloc while allocations are counted, with its version; nil where they
  /// are not.
  public var countingAllocator: String?
  /// The variables that the user had set of those which reach into what is measured, by name: see
  /// ``reachingVariables``. Nil in records that do not say it.
  public var environment: [String: String]?
  /// What counts instructions, such as `perf_event` or `callgrind 3.19.0`; nil where nothing does.
  /// Two sources never compare.
  public var instructionCounter: String?
  /// `release` or `debug`.
  public var build: String
  /// One-minute load average when the run began.
  public var loadAverage: Double?
  /// The smallest step of the wall clock, in nanoseconds.
  public var clockResolution: Double?
  /// The median of an empty sample, in nanoseconds: what cannot be told from nothing.
  public var emptySample: Double?
  /// The median CPU reading of an empty sample, in nanoseconds: what the readings cost themselves.
  public var emptyCPUSample: Double?
  /// Metrics that this machine or build cannot give, by id, each with the reason.
  public var unsupported: [String: String] = [:]

  package init(cpu: String? = nil, cores: Int? = nil, build: String) {
    self.cpu = cpu
    self.cores = cores
    self.build = build
  }

  /// The environment variables that replace functions of a worker, malloc among them, or tune them.
  /// Workers inherit them.
  package static let reachingVariables = [
    "DYLD_INSERT_LIBRARIES", "GLIBC_TUNABLES", "LD_PRELOAD", "MALLOC_CONF",
    // Of glibc's malloc, mallopt(3).
    "MALLOC_ARENA_MAX", "MALLOC_ARENA_TEST", "MALLOC_MMAP_MAX_", "MALLOC_MMAP_THRESHOLD_",
    "MALLOC_PERTURB_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_",
  ]

  package static func inherited(from environment: [String: String]) -> [String: String] {
    environment.filter { reachingVariables.contains($0.key) }
  }
}
