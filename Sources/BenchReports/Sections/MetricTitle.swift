import BenchResults

extension Metric {
  /// The metrics in the order in which tables have room for them, the most telling first, each with
  /// a title short enough for a column.
  static let titled: [(metric: Metric, title: String)] = [
    (.wall, "time"), (.cpu, "cpu"), (.allocations, "allocs"), (.allocatedBytes, "allocated"),
    (.peakHeapBytes, "peak"), (.writtenBytes, "written"), (.readBytes, "read"),
    (.payloadBytes, "payload"), (.storedBytes, "stored"), (.peakRSSBytes, "rss"),
    (.pageFaults, "faults"), (.writeCalls, "writes"), (.readCalls, "reads"),
    (.instructions, "instructions"), (.persistenceShare, "persistence"), (.tornReads, "torn"),
    (.missedFrames, "missed"),
  ]

  /// The short title; the id of a metric that this program does not know.
  var title: String { Self.titled.first { $0.metric.id == id }?.title ?? id }
}
