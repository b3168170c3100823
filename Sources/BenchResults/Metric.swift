/// One thing that can be measured of a phase: its unit, which way is better, whether it is exact.
///
/// A metric is a value, not an enum case, so that a stored run from a program that knew more metrics
/// than this one can still be read, reported and compared.
public struct Metric: Hashable, Codable, Sendable {
  /// The stable id used in CSV, `run.json` and on the command line, such as `allocated_bytes`.
  public let id: String
  /// What one unit of a value is.
  public let unit: Unit
  /// Which way a change is an improvement.
  public let better: Direction
  /// Whether two runs of one build must give the same value, so that any change is a real one.
  public let isExact: Bool

  /// Makes a metric of any id; the built-in ones are static members.
  public init(id: String, unit: Unit, better: Direction = .lower, isExact: Bool = false) {
    self.id = id
    self.unit = unit
    self.better = better
    self.isExact = isExact
  }

  private enum CodingKeys: String, CodingKey {
    case id = "metric"
    case unit, better
    case isExact = "exact"
  }

  /// Whether values are durations or shares, which differ from machine to machine and from
  /// hour to hour.
  public var isTime: Bool { unit == .nanoseconds || unit == .percent }
}

/// What one unit of a metric's value is; the raw value stands in CSV and `run.json`.
public enum Unit: String, Codable, Sendable {
  case nanoseconds = "ns"
  case bytes = "B"
  /// Things counted: calls, allocations, faults.
  case count
  /// Shares, 0 to 100.
  case percent = "%"
}

/// Which way a metric's value gets better.
public enum Direction: String, Codable, Sendable {
  case lower
  case higher
}

extension Metric {
  /// Elapsed time on a monotonic clock.
  public static let wall = Metric(id: "wall", unit: .nanoseconds)
  /// The mean of a block's elapsed times, of the two programs of a gate: what stalls now and then, or
  /// runs at one of two speeds, moves it and may leave the median where it was.
  public static let meanWall = Metric(id: "wall_mean", unit: .nanoseconds)
  /// CPU time of every thread of the process.
  public static let cpu = Metric(id: "cpu", unit: .nanoseconds)
  /// Machine instructions retired, from hardware counters or Callgrind.
  public static let instructions = Metric(id: "instructions", unit: .count)
  /// Number of allocations served by the allocator, to every thread of the process.
  public static let allocations = Metric(id: "allocations", unit: .count, isExact: true)
  /// Bytes handed out by the allocator to every thread, freed or not.
  public static let allocatedBytes = Metric(id: "allocated_bytes", unit: .bytes, isExact: true)
  /// The most bytes of the measuring thread live at once since the phase began, less what was live
  /// then; up to ``peakHeapResolution`` too low, since jemalloc only looks now and then. Repeatable all
  /// the same. Unsupported where another thread allocates meanwhile.
  public static let peakHeapBytes = Metric(id: "peak_heap_bytes", unit: .bytes, isExact: true)
  /// The most resident memory the worker held during the phase, fixture and code included.
  public static let peakRSSBytes = Metric(id: "peak_rss_bytes", unit: .bytes)
  /// Bytes fetched through read calls, from the page cache or a drive alike.
  public static let readBytes = Metric(id: "read_bytes", unit: .bytes, isExact: true)
  /// Bytes handed over in write calls, whether or not they reached a drive.
  public static let writtenBytes = Metric(id: "written_bytes", unit: .bytes, isExact: true)
  /// Read system calls.
  public static let readCalls = Metric(id: "read_calls", unit: .count, isExact: true)
  /// Write system calls.
  public static let writeCalls = Metric(id: "write_calls", unit: .count, isExact: true)
  /// Page faults served, with or without a drive.
  public static let pageFaults = Metric(id: "page_faults", unit: .count)
  /// Bytes that the codec made for the backend to keep.
  public static let payloadBytes = Metric(id: "payload_bytes", unit: .bytes, isExact: true)
  /// Bytes of every file that the backend keeps, at rest: once the store is closed.
  public static let storedBytes = Metric(id: "stored_bytes", unit: .bytes, isExact: true)
  /// The most bytes of every file that the backend keeps, logs included, while revisions are saved.
  public static let storedPeakBytes = Metric(
    id: "stored_peak_bytes", unit: .bytes, isExact: true)
  /// Pages of the store's files that a phase looked at, in bytes: those that it referenced in mapped
  /// files, and what it fetched by read calls, in whole pages; what the storage caches by itself is
  /// emptied before. Readings of neighbours by the system make it vary.
  public static let touchedBytes = Metric(id: "touched_bytes", unit: .bytes)
  /// Bytes of what a phase delivered, as a `Checksum` counts them: what of the touched bytes was of use.
  public static let usefulBytes = Metric(id: "useful_bytes", unit: .bytes, isExact: true)
  /// Reads that were wholly of no revision, while a writer replaced the menu.
  public static let tornReads = Metric(id: "torn_reads", unit: .count, isExact: true)

  /// How much of their time readers work that read at a fixed rate; at 100 % and more they cannot keep
  /// up with it.
  public static let utilisation = Metric(id: "utilisation", unit: .percent)

  /// How many of an app's frames ended while its one thread was at work, of all until it was done.
  public static let missedFrames = Metric(id: "missed_frames", unit: .percent)

  /// How much of the store's files was still in the page cache when a fresh process began to read them.
  public static let residentShare = Metric(id: "resident_share", unit: .percent)

  /// How much of a phase's time storing and reading back took.
  public static let persistenceShare = Metric(id: "persistence_share", unit: .percent)

  /// How far below the truth ``peakHeapBytes`` may be: jemalloc looks every 64 KiB allocated.
  public static let peakHeapResolution = 65_536.0

  /// Every built-in metric, in the order in which reports show them.
  public static let all: [Metric] = [
    .wall, .meanWall, .cpu, .instructions, .allocations, .allocatedBytes, .peakHeapBytes,
    .peakRSSBytes, .readBytes, .writtenBytes, .readCalls, .writeCalls, .pageFaults, .payloadBytes,
    .storedBytes, .storedPeakBytes, .touchedBytes, .usefulBytes, .persistenceShare, .tornReads,
    .utilisation, .missedFrames, .residentShare,
  ]

  /// What a column of a metric is called, short enough for a table, and what that means where the
  /// title does not say it; in the order in which tables have room for them, the most telling first.
  package static let titles: [(metric: Metric, title: String, meaning: String?)] = [
    (.wall, "time", nil), (.cpu, "cpu", "of all threads"), (.allocations, "allocs", nil),
    (.allocatedBytes, "allocated", nil), (.peakHeapBytes, "peak", "most heap bytes at once"),
    (.writtenBytes, "written", nil), (.readBytes, "read", nil), (.payloadBytes, "payload", nil),
    (.touchedBytes, "touched", "bytes of the pages that were looked at"),
    (.usefulBytes, "useful", "bytes of what was delivered"), (.storedBytes, "stored", "at rest"),
    (.storedPeakBytes, "in use", "most stored bytes"), (.peakRSSBytes, "rss", nil),
    (.pageFaults, "faults", nil), (.writeCalls, "writes", nil), (.readCalls, "reads", nil),
    (.instructions, "instructions", nil),
    (.persistenceShare, "persistence", "the share of the time that storing and reading back took"),
    (.tornReads, "torn", "reads that were of no one revision"),
    (.utilisation, "used", "the share of their time that readers work; from 100 % on too slow"),
    (.missedFrames, "missed", nil),
    (.meanWall, "mean", "of a block's times, whose middle is the time"),
    (.residentShare, "resident", "what was still cached of the store's files in a cold phase"),
  ]

  /// The short title; the id of a metric that this program does not know.
  package var title: String { Self.titles.first { $0.metric.id == id }?.title ?? id }
}
