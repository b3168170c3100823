import BenchResults
import Testing

@Suite("Metrics and cells")
struct MetricTests {
  @Test("The built-in metrics have the ids of the design, in its order")
  func ids() {
    #expect(
      Metric.all.map(\.id) == [
        "wall", "wall_mean", "cpu", "instructions", "allocations", "allocated_bytes",
        "peak_heap_bytes", "peak_rss_bytes", "read_bytes", "written_bytes", "read_calls",
        "write_calls", "page_faults", "payload_bytes", "stored_bytes", "stored_peak_bytes",
        "touched_bytes", "useful_bytes", "persistence_share", "torn_reads", "utilisation",
        "missed_frames", "resident_share",
      ])
  }

  @Test("Only durations and shares are times")
  func times() {
    #expect(
      Metric.all.filter(\.isTime).map(\.id) == [
        "wall", "wall_mean", "cpu", "persistence_share", "utilisation", "missed_frames",
        "resident_share",
      ])
  }

  @Test("A cell's text has its four ids")
  func cell() {
    let cell = Cell(
      backend: "json", menu: "large", workload: "roundtrip", durability: "atomic")
    #expect(cell.description == "json/large/roundtrip/atomic")
  }
}
