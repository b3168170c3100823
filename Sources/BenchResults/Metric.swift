/// Something that can be measured of a phase: its unit, its better direction, whether it is exact.
///
/// A metric is a value, not an enum case. A program can therefore read, report and compare runs of
/// a newer program that knew more metrics.
public struct Metric: Hashable, Codable, Sendable {
  /// The stable id in CSV, in `run.json` and on the command line, such as `allocated_bytes`.
  public let id: String
  /// The unit of a value.
  public let unit: Unit
  /// The direction of change that is an improvement.
  public let better: Direction
  /// Whether two runs of one build must give the same value, so that any change is real.
  public let isExact: Bool

  /// Makes a metric with any id. The built-in ones are static members.
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

  /// Whether values are durations or shares, which differ between machines and from hour to hour.
  public var isTime: Bool { unit == .nanoseconds || unit == .percent }
}

/// The unit of a metric's raw values, which CSV and `run.json` hold.
public enum Unit: String, Codable, Sendable {
  case nanoseconds = "ns"
  case bytes = "B"
  /// Things that are counted: calls, allocations, faults.
  case count
  /// Shares, 0 to 100.
  case percent = "%"
}

/// The direction in which a metric's value improves.
public enum Direction: String, Codable, Sendable {
  case lower, higher
}

extension Metric {
  /// Elapsed time on a monotonic clock.
  public static let wall = Metric(id: "wall", unit: .nanoseconds)
  /// The mean of a block's elapsed times, for the two programs of a gate. Occasional stalls, or
  /// runs at one of two speeds, move it but may leave the median unchanged.
  public static let meanWall = Metric(id: "wall_mean", unit: .nanoseconds)
  /// CPU time of every thread of the process.
  public static let cpu = Metric(id: "cpu", unit: .nanoseconds)
  /// Machine instructions retired, from hardware counters or Callgrind.
  public static let instructions = Metric(id: "instructions", unit: .count)
  /// The number of allocations that the allocator served, on all threads of the process.
  public static let allocations = Metric(id: "allocations", unit: .count, isExact: true)
  /// Bytes that the allocator handed out on all threads, freed or not.
  public static let allocatedBytes = Metric(id: "allocated_bytes", unit: .bytes, isExact: true)
  /// The most bytes that the measuring thread had live at once during the phase, less what was live
  /// at its start. It is repeatable, but up to ``peakHeapResolution`` too low, because jemalloc
  /// only checks now and then. Unsupported if another thread allocates meanwhile.
  public static let peakHeapBytes = Metric(id: "peak_heap_bytes", unit: .bytes, isExact: true)
  /// The most resident memory of the worker during the phase, fixture and code included.
  public static let peakRSSBytes = Metric(id: "peak_rss_bytes", unit: .bytes)
  /// Bytes fetched by read calls, from the page cache or from a drive.
  public static let readBytes = Metric(id: "read_bytes", unit: .bytes, isExact: true)
  /// Bytes passed to write calls, whether or not they reached a drive.
  public static let writtenBytes = Metric(id: "written_bytes", unit: .bytes, isExact: true)
  /// Read system calls.
  public static let readCalls = Metric(id: "read_calls", unit: .count, isExact: true)
  /// Write system calls.
  public static let writeCalls = Metric(id: "write_calls", unit: .count, isExact: true)
  /// Page faults, with or without access to a drive.
  public static let pageFaults = Metric(id: "page_faults", unit: .count)
  /// Bytes that the codec produced for the backend to store.
  public static let payloadBytes = Metric(id: "payload_bytes", unit: .bytes, isExact: true)
  /// Bytes of all files that the backend keeps, at rest: after the store is closed.
  public static let storedBytes = Metric(id: "stored_bytes", unit: .bytes, isExact: true)
  /// The most bytes of all files that the backend keeps while revisions are saved, logs included.
  public static let storedPeakBytes = Metric(
    id: "stored_peak_bytes", unit: .bytes, isExact: true)
  /// Bytes of the pages of the store's files that a phase used: pages referenced in mapped files,
  /// and whole pages fetched by read calls. The storage's own caches are emptied first. The system
  /// also reads neighbouring pages, which makes it vary.
  public static let touchedBytes = Metric(id: "touched_bytes", unit: .bytes)
  /// Bytes that a phase delivered, as a `Checksum` counts them: the useful part of the touched bytes.
  public static let usefulBytes = Metric(id: "useful_bytes", unit: .bytes, isExact: true)
  /// Reads that matched no single revision while a writer replaced the menu.
  public static let tornReads = Metric(id: "torn_reads", unit: .count, isExact: true)
  /// The share of their time that readers at a fixed rate are busy. At 100 % or more they cannot
  /// keep up.
  public static let utilisation = Metric(id: "utilisation", unit: .percent)
  /// The share of an app's frames that ended while its one thread was busy, until its work was done.
  public static let missedFrames = Metric(id: "missed_frames", unit: .percent)
  /// The share of the store's files still in the page cache when a fresh process began to read them.
  public static let residentShare = Metric(id: "resident_share", unit: .percent)

  /// The share of a phase's time that storing and reading back took.
  public static let persistenceShare = Metric(id: "persistence_share", unit: .percent)

  /// How far ``peakHeapBytes`` may be too low: jemalloc checks once per 64 KiB allocated.
  public static let peakHeapResolution = 65_536.0

  /// All built-in metrics, in the order in which reports show them.
  public static let all: [Metric] = [
    .wall, .meanWall, .cpu, .instructions, .allocations, .allocatedBytes, .peakHeapBytes,
    .peakRSSBytes, .readBytes, .writtenBytes, .readCalls, .writeCalls, .pageFaults, .payloadBytes,
    .storedBytes, .storedPeakBytes, .touchedBytes, .usefulBytes, .persistenceShare, .tornReads,
    .utilisation, .missedFrames, .residentShare,
  ]

  /// The column title of each metric, short enough for a table, and its meaning if the title does
  /// not say it. If space is short, tables keep the first, most telling ones.
  package static let titles: [(metric: Metric, title: String, meaning: String?)] = [
    (.wall, "time", nil), (.cpu, "cpu", "of all threads"), (.allocations, "allocs", nil),
    (.allocatedBytes, "allocated", nil), (.peakHeapBytes, "peak", "most heap bytes at once"),
    (.writtenBytes, "written", nil), (.readBytes, "read", nil), (.payloadBytes, "payload", nil),
    (.touchedBytes, "touched", "bytes of the pages that it used"),
    (.usefulBytes, "useful", "bytes that it delivered"), (.storedBytes, "stored", "at rest"),
    (.storedPeakBytes, "in use", "most stored bytes"), (.peakRSSBytes, "rss", nil),
    (.pageFaults, "faults", nil), (.writeCalls, "writes", nil), (.readCalls, "reads", nil),
    (.instructions, "instructions", nil),
    (.persistenceShare, "persistence", "share of the time for storing and reading back"),
    (.tornReads, "torn", "reads that match no single revision"),
    (.utilisation, "used", "share of their time that readers work, too slow from 100 %"),
    (.missedFrames, "missed", nil),
    (.meanWall, "mean", "of a block's times (time: their median)"),
    (.residentShare, "resident", "share of the store's files still cached in a cold phase"),
  ]

  /// The short title; the id for a metric that this program does not know.
  package var title: String { Self.titles.first { $0.metric.id == id }?.title ?? id }
}
