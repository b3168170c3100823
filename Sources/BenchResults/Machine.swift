/// The machine, system and toolchain that a run was measured on.
///
/// An unknown is nil, never an empty text or 0.
public struct Machine: Hashable, Codable, Sendable, RecordPart {
  /// The processor's model name.
  public var cpu: String?
  /// The processor's feature flags, sorted: libraries choose their code by them.
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
  /// The SQLite library's version, with the build options that affect what is counted.
  public var sqlite: String?
  /// The allocator that serves malloc while times are measured, with its version.
  public var allocator: String?
  /// The allocator that serves malloc while allocations are counted, with its version, or nil if they
  /// are not counted.
  public var countingAllocator: String?
  /// The environment variables that the user had set and that affect what is measured, by name. Nil in
  /// records without them.
  public var environment: [String: String]?
  /// The source of instruction counts, such as `perf_event` or `callgrind 3.19.0`, or nil if there is
  /// none. Counts of two sources are never compared.
  public var instructionCounter: String?
  /// `release` or `debug`.
  public var build: String
  /// The one-minute load average when the run began.
  public var loadAverage: Double?
  /// The smallest step of the wall clock, in nanoseconds.
  public var clockResolution: Double?
  /// The median time of an empty sample, in nanoseconds: the clock's own cost.
  public var emptySample: Double?
  /// The median CPU time of an empty sample, in nanoseconds: the readings' own cost.
  public var emptyCPUSample: Double?
  /// Metrics that this machine or build cannot measure, by id, each with the reason.
  public var unsupported: [String: String] = [:]

  package init(cpu: String? = nil, cores: Int? = nil, build: String) {
    self.cpu = cpu
    self.cores = cores
    self.build = build
  }
}
