import BenchResults
import Testing

@testable import BenchCLI

@Suite("A gate measures the metrics of its tier")
struct GateMetricsTests {
  private let exact = Set(Metric.all.filter(\.isExact).map(\.id))

  @Test(
    "Without a name all that is exact and wall time; instructions as the machine can count them")
  func all() throws {
    let traced = try GateMetrics(tier: .all, named: nil, instructionCounter: nil)
    #expect(traced.counters == exact && traced.times == ["wall"] && traced.tracesInstructions)
    let counted = try GateMetrics(tier: .all, named: nil, instructionCounter: "perf_event")
    #expect(counted.counters == exact.union(["instructions"]) && !counted.tracesInstructions)
    #expect(traced.all == counted.all)
  }

  @Test("A tier leaves out the other's metrics")
  func tiers() throws {
    let times = try GateMetrics(tier: .time, named: nil, instructionCounter: "perf_event")
    #expect(times.all == ["wall"])
    let counts = try GateMetrics(tier: .exact, named: nil, instructionCounter: nil)
    #expect(counts.times == [] && counts.counters == exact && counts.tracesInstructions)
  }

  @Test("Metrics named are those measured, CPU time among them")
  func named() throws {
    let metrics = try GateMetrics(
      tier: .all, named: ["cpu", "allocations"], instructionCounter: nil)
    #expect(metrics.times == ["cpu"] && metrics.counters == ["allocations"])
    #expect(!metrics.tracesInstructions && metrics.all == ["cpu", "allocations"])
  }

  @Test("A tier without any of the metrics named is refused")
  func none() {
    for (tier, named) in [
      (GateTier.exact, "wall"), (.time, "allocations"), (.time, "instructions"),
    ] {
      let error = refusal {
        _ = try GateMetrics(tier: tier, named: [named], instructionCounter: nil)
      }
      #expect(error?.status == .usage)
    }
  }
}
