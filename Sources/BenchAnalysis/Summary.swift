import BenchResults

/// What the values of one series come to, in the metric's unit.
///
/// The block, a fresh process, is the unit of analysis: values of one block share what differs
/// between processes (code layout, addresses), so the middle is the median of the blocks' medians
/// and its interval counts blocks. The other figures describe all samples together.
public struct Summary: Hashable, Sendable {
  /// How many samples there are in all blocks.
  public var samples: Int
  /// How many blocks hold samples.
  public var blocks: Int
  /// The smallest sample.
  public var min: Double
  /// The median of the blocks' medians.
  public var p50: Double
  /// The mean of all samples.
  public var mean: Double
  /// The 90th percentile of all samples, type 7 of Hyndman & Fan.
  public var p90: Double
  /// The 99th percentile of all samples, type 7 of Hyndman & Fan.
  public var p99: Double
  /// The largest sample.
  public var max: Double
  /// The standard deviation of all samples, n - 1; nil of one sample.
  public var standardDeviation: Double?
  /// The order-statistic interval of ``p50`` at 95 % or more; nil of fewer than six blocks and for
  /// exact metrics, which have nothing to be unsure of.
  public var interval: Interval?

  /// Sums up a series; nil where it has no values or one that is no finite number.
  public init?(_ series: Series) {
    self.init(blocks: series.blocks, isExact: series.metric.isExact)
  }

  /// Sums up raw values, block by block; nil where there are none or one is no finite number.
  public init?(blocks: [[Double]], isExact: Bool = false) {
    let medians = blocks.compactMap(Statistics.median)
    let values = blocks.joined().sorted()
    guard blocks.joined().allSatisfy(\.isFinite), let first = values.first, let last = values.last,
      let p50 = Statistics.median(medians), let mean = Statistics.mean(values),
      let p90 = Statistics.quantile(0.9, ofSorted: values),
      let p99 = Statistics.quantile(0.99, ofSorted: values)
    else { return nil }
    samples = values.count
    self.blocks = medians.count
    (min, self.p50, self.mean, self.p90, self.p99, max) = (first, p50, mean, p90, p99, last)
    standardDeviation = Statistics.standardDeviation(values)
    interval = isExact ? nil : Statistics.medianInterval(of: medians)
  }

  /// The longer arm of the interval relative to ``p50``, as 0.04 for ± 4 %; nil without an interval
  /// or where p50 is 0.
  public var relativeWidth: Double? {
    guard let interval, p50 > 0 else { return nil }
    return Swift.max(interval.high - p50, p50 - interval.low) / p50
  }
}
