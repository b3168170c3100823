import BenchAnalysis
import BenchResults
import Testing

@Suite("A cell is measured well enough")
struct PrecisionRuleTests {
  private let rule = PrecisionRule(relativeHalfWidth: 0.05, emptySample: nil)
  private let cell = Cell(
    backend: "json", menu: "small", workload: "search", durability: "atomic")

  private func wall(_ phase: String, _ medians: [Double]) -> Series {
    Series(cell: cell, phase: phase, metric: .wall, blocks: medians.map { [$0] })
  }

  @Test("once every phase's median is known well")
  func narrow() {
    let steady = wall("common", [100, 101, 102, 101, 100, 101])
    #expect(rule.isSettled([steady]))
    #expect(!rule.isSettled([steady, wall("none", [100, 200, 300, 100, 200, 300])]))
    #expect(!rule.isSettled([]))
  }

  @Test("whatever phases cannot be measured of this menu")
  func unsupported() {
    let missing = Series(cell: cell, phase: "latin", metric: .wall, unsupported: "no such names")
    #expect(rule.isSettled([wall("common", [100, 101, 102, 101, 100, 101]), missing]))
    #expect(!rule.isSettled([missing]))
  }
}
