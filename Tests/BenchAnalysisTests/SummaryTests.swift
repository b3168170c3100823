import BenchAnalysis
import BenchResults
import Foundation
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
  }

  @Test("has no deviation with one sample")
  func single() throws {
    let summary = try #require(Summary(blocks: [[5]]))
    #expect(summary.standardDeviation == nil)
    #expect(summary.min == 5 && summary.max == 5 && summary.p99 == 5)
  }

  @Test("has Student's interval of the blocks' logarithms from three blocks on")
  func interval() throws {
    #expect(Summary(wall(100, spread: 0.1, blocks: 2))?.interval == nil)
    let three = try #require(Summary(blocks: [[90], [100], [1e4 / 90]])?.interval)
    // 4.303 deviations of 0.10536 by the root of 3.
    #expect(abs(log(three.high / 100) - 0.26174) < 1e-4)
    #expect(abs(log(three.low / 100) + 0.26174) < 1e-4)
    let more: [[Double]] = [[90], [100], [1e4 / 90], [90], [100], [1e4 / 90]]
    #expect(try #require(Summary(blocks: more)?.interval).width < three.width)
  }

  @Test("has an interval of plain values if one is 0, and one that contains the median")
  func zeros() {
    #expect(Summary(blocks: [[0], [1], [2]])?.interval.map { $0.low < 0 } == true)
    let lopsided = Summary(blocks: Array(repeating: [1.0], count: 20) + [[1e9]])
    #expect(lopsided?.interval?.contains(1) == true)
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
