import Basics
import BenchAnalysis
import BenchResults
import Testing

@Suite("A time that is good enough counts for little")
struct GoodEnoughTests {
  private let milliseconds = 1_000_000.0

  @Test("A longer time counts fully, and a shorter one with a tenth of its logarithm")
  func counting() throws {
    let limit = try #require(GoodEnough(nanoseconds: 8 * milliseconds))
    #expect(limit == .usual)
    #expect(limit.counting(20 * milliseconds, of: .wall) == 20 * milliseconds)
    #expect(limit.counting(8 * milliseconds, of: .wall) == 8 * milliseconds)
    // A tenth of the logarithm of 1/1,024 is that of 1/2.
    let quick = limit.counting(8 * milliseconds / 1_024, of: .wall)
    #expect(abs(quick - 4 * milliseconds) < 1e-6)
  }

  @Test("Sizes and counts are never good enough, and without a threshold no time is")
  func others() {
    #expect(GoodEnough.usual.counting(100, of: .storedBytes) == 100)
    #expect(!GoodEnough.usual.covers(1, of: .allocations))
    #expect(GoodEnough.off.counting(100, of: .wall) == 100)
    #expect(!GoodEnough.off.covers(0, of: .wall))
  }

  @Test("A threshold is between 0 and a minute", arguments: [-1, .nan, .infinity, 60_000_000_001])
  func refused(nanoseconds: Double) { #expect(GoodEnough(nanoseconds: nanoseconds) == nil) }

  @Test("With any threshold, a longer time never counts for less, and no weight jumps")
  func monotone() throws {
    var random = SplitMix64(seed: 20_261_124)
    for _ in 0..<1_000 {
      let limit = try #require(GoodEnough(nanoseconds: Double(random.below(60_000_000_000))))
      let time = Double(random.below(100_000_000_000)) + 1
      let longer = time * (1 + 1e-9)
      let (one, other) = (limit.counting(time, of: .wall), limit.counting(longer, of: .wall))
      #expect(one <= other, "seed 20261124: \(time) against \(limit.nanoseconds)")
      #expect(other / one < 1 + 1e-8, "seed 20261124: \(time) against \(limit.nanoseconds)")
    }
  }

  @Test("Times that are good enough no longer decide, but the file size does")
  func decides() {
    let cells = [
      steady(1 * milliseconds, "combo", "combo", of: "large-and-fast"),
      steady(4 * milliseconds, "combo", "combo", of: "small-and-slower"),
      stored(2_000, of: "large-and-fast"), stored(1_000, of: "small-and-slower"),
    ]
    let sheet = CostTable(
      menu: "large",
      of: run(cells, backends: [info("large-and-fast"), info("small-and-slower")]))
    let weights = [Weight.on("combo", "combo"), Weight(.metric("stored_bytes"), 1)]
    let counted = Recommendation(Criteria(weights: weights), on: sheet)
    #expect(counted.leaders == ["small-and-slower"])
    #expect(counted.ranked[0].terms.map(\.own.isGoodEnough) == [true, false])
    let all = Recommendation(Criteria(weights: weights, goodEnough: .off), on: sheet)
    #expect(all.leaders == ["large-and-fast"])
  }
}
