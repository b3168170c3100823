import BenchAnalysis
import BenchResults
import Testing

@Suite("The summary of a series")
struct SummaryTests {
  @Test("is the median of block medians, and uses all samples for the rest")
  func figures() throws {
    let summary = try #require(Summary(blocks: [[1, 2, 9], [4, 4, 4], [10, 20, 30]]))
    #expect(summary.samples == 9)
    #expect(summary.blocks == 3)
    #expect(summary.min == 1)
    #expect(summary.p50 == 4)
    #expect(summary.mean == 84.0 / 9)
    #expect(summary.p90 == 22)
    #expect(abs(summary.p99 - 29.2) < 1e-12)
    #expect(summary.max == 30)
    #expect(summary.interval == nil)
  }

  @Test("has no deviation with one sample")
  func single() throws {
    let summary = try #require(Summary(blocks: [[5]]))
    #expect(summary.standardDeviation == nil)
    #expect(summary.min == 5 && summary.max == 5 && summary.p99 == 5)
  }

  @Test("has an interval from six blocks on, however many samples each has")
  func interval() {
    #expect(Summary(wall(100, spread: 0.1, blocks: 5))?.interval == nil)
    let six = Summary(wall(100, spread: 0.1, blocks: 6))
    #expect(six?.interval == Interval(low: 90, high: 110.00000000000001))
    #expect(six?.relativeWidth.map { abs($0 - 0.1) < 1e-9 } == true)
  }

  @Test("has no interval for an exact metric")
  func exactMetric() {
    #expect(Summary(exact(7, blocks: 12))?.interval == nil)
    #expect(Summary(exact(7, blocks: 12))?.p50 == 7)
  }

  @Test("ignores blocks without samples, and is empty without any")
  func emptyBlocks() {
    #expect(Summary(blocks: [[], [3], []])?.blocks == 1)
    #expect(Summary(blocks: []) == nil)
    #expect(Summary(blocks: [[], []]) == nil)
  }

  @Test("does not exist if a value is not a number", arguments: [Double.nan, .infinity])
  func notFinite(value: Double) {
    #expect(Summary(blocks: [[1, value]]) == nil)
  }
}
