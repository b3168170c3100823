import BenchProfiles
import BenchResults
import Testing

@Suite("A profile of what workers took")
struct SymbolicationTests {
  private static func lost(sample: Double?) -> Int {
    let raw = RawProfile(
      what: .cpu, phase: "decode", executable: "bench",
      measures: [Profile.Measure(id: "cpu", unit: .nanoseconds, sample: sample)],
      stacks: [
        RawProfile.Stack(addresses: [1], values: [3e6]),
        RawProfile.Stack(addresses: [1, 2], values: [1e6]),
      ], facts: Profile.Facts()
    ).with(\.root, "PhaseMarker.run")
    let cell = Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic")
    return Profile([raw], cell: cell, phase: "decode").facts.lost
  }

  @Test("counts lost stacks in the unit of the others: in samples, or stacks")
  func lost() {
    #expect(Self.lost(sample: 1e6) == 4)
    #expect(Self.lost(sample: nil) == 2)
  }
}
