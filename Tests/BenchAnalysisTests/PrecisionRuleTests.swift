import BenchAnalysis
import BenchResults
import Testing

@Suite("A cell is measured precisely enough")
struct PrecisionRuleTests {
  private let rule = PrecisionRule(relativeHalfWidth: 0.05, emptySample: nil)
  private let cell = Cell(
    backend: "json", menu: "small", workload: "search", durability: "atomic")

  private func wall(_ phase: String, _ medians: [Double]) -> Series {
    Series(cell: cell, phase: phase, metric: .wall, blocks: medians.map { [$0] })
  }

  @Test("when every phase's median is known precisely")
  func narrow() {
    let steady = wall("common", [100, 101, 102, 101, 100, 101])
    #expect(rule.isSettled([steady]))
    #expect(!rule.isSettled([steady, wall("none", [100, 200, 300, 100, 200, 300])]))
    #expect(!rule.isSettled([]))
  }

  @Test("at the first narrow interval, which contains the median slightly less often than 95 %")
  func stopping() throws {
    let (cells, seed) = (2_000, UInt64(50_000_000))
    let rule = PrecisionRule(relativeHalfWidth: 0.03, emptySample: nil)
    let held = (0..<cells).count { number -> Bool in
      var noise = Noise(seed: seed + UInt64(number), deviation: 0.05)
      var medians = (0..<5).map { _ in 1 + noise.next() }
      repeat { medians.append(1 + noise.next()) } while !rule.isSettled([wall("common", medians)])
      return Statistics.interval(ofTypical: medians)?.contains(1) ?? false
    }
    let share = try #require(Statistics.clopperPearson(successes: held, of: cells))
    print("held: \(held) of \(cells), \(share.low) to \(share.high) at 95 %, seeds from \(seed)")
    #expect(share.low >= 0.89 && share.low < 0.95)
  }

  @Test("even if some phases cannot be measured with this menu")
  func unsupported() {
    let missing = Series(cell: cell, phase: "latin", metric: .wall, unsupported: "no such names")
    #expect(rule.isSettled([wall("common", [100, 101, 102, 101, 100, 101]), missing]))
    #expect(!rule.isSettled([missing]))
  }
}
