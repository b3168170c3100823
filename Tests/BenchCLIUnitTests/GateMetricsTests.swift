import BenchResults
import Testing

@testable import BenchCLI

@Suite("A gate measures the metrics of its tier")
struct GateMetricsTests {
  private func gateMetrics(
    tier: GateTier, named: Set<String>?, instructionCounter: String?, tracesUnasked: Bool = true
  ) throws -> GateMetrics {
    try GateMetrics(
      against: tracesUnasked ? .program("", product: nil) : .storedRun("", judgesTimes: true),
      tier: tier, named: named, instructionCounter: instructionCounter)
  }

  private let exact = Set(Metric.all.filter(\.isExact).map(\.id))
    .union(["peak_rss_bytes", "page_faults"])

  @Test("By default it measures all counts, wall and CPU time, and instructions if possible")
  func all() throws {
    let traced = try gateMetrics(tier: .all, named: nil, instructionCounter: nil)
    #expect(
      traced.counters == exact && traced.times == ["wall", "cpu"] && traced.tracesInstructions)
    let counted = try gateMetrics(tier: .all, named: nil, instructionCounter: "perf_event")
    #expect(counted.counters == exact.union(["instructions"]) && !counted.tracesInstructions)
    #expect(traced.all == counted.all)
  }

  @Test("Compared with a stored run, times are taken if you ask, and instructions if you name them")
  func stored() throws {
    let counts = try GateMetrics(
      against: .storedRun("", judgesTimes: false), tier: .all, named: ["wall", "allocations"],
      instructionCounter: nil)
    #expect(counts.all == ["allocations"])
    let unasked = try gateMetrics(
      tier: .exact, named: nil, instructionCounter: nil, tracesUnasked: false)
    #expect(!unasked.tracesInstructions)
    let asked = try gateMetrics(
      tier: .exact, named: ["instructions"], instructionCounter: nil, tracesUnasked: false)
    #expect(asked.tracesInstructions)
  }

  @Test("A tier omits the other's metrics")
  func tiers() throws {
    let times = try gateMetrics(tier: .time, named: nil, instructionCounter: "perf_event")
    #expect(times.all == ["wall", "cpu"])
    let counts = try gateMetrics(tier: .exact, named: nil, instructionCounter: nil)
    #expect(counts.times == [] && counts.counters == exact && counts.tracesInstructions)
  }

  @Test("The named metrics are measured, and wall time for its mean")
  func named() throws {
    let metrics = try gateMetrics(
      tier: .all, named: ["cpu", "allocations"], instructionCounter: nil)
    #expect(metrics.times == ["cpu"] && metrics.counters == ["allocations"])
    #expect(!metrics.tracesInstructions && metrics.all == ["cpu", "allocations"])
    let mean = try gateMetrics(tier: .time, named: ["wall_mean"], instructionCounter: nil)
    #expect(mean.all == ["wall"])
  }

  @Test("A tier without any of the metrics named is refused")
  func none() {
    for (tier, named) in [
      (GateTier.exact, "wall"), (.time, "allocations"), (.time, "instructions"),
    ] {
      let error = refusal {
        _ = try gateMetrics(tier: tier, named: [named], instructionCounter: nil)
      }
      #expect(error?.status == .usage)
    }
  }
}
