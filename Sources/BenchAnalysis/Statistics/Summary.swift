import Basics
import BenchResults
import Foundation
import Synchronization

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

/// The maths of the analysis: pure functions of numbers that know nothing of runs or metrics.
///
/// Every function answers nil where its figure is undefined, never 0 and never NaN. Values must be
/// finite; ``Summary`` refuses others before they come here.
public enum Statistics {
  /// The arithmetic mean, nil of nothing.
  public static func mean(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.reduce(0, +) / Double(values.count)
  }

  /// The sample standard deviation, divided by n - 1; nil of fewer than two values.
  public static func standardDeviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// The median absolute deviation times 1.4826, which estimates the standard deviation of normal
  /// values and ignores a minority of wild ones; nil of fewer than two values.
  ///
  /// Source: Hampel, "The Influence Curve and Its Role in Robust Estimation", JASA 69 (1974).
  public static func robustDeviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let center = median(values) else { return nil }
    return median(values.map { abs($0 - center) }).map { $0 * 1.4826 }
  }
}

extension Statistics {
  /// The quantile at a probability in 0...1, interpolated between order statistics; nil of nothing
  /// or where the probability is out of range.
  ///
  /// Type 7 of Hyndman & Fan, "Sample Quantiles in Statistical Packages", The American Statistician
  /// 50 (1996): position (n - 1) p, the default of R, NumPy and spreadsheets.
  public static func quantile(_ probability: Double, of values: [Double]) -> Double? {
    quantile(probability, ofSorted: values.sorted())
  }

  /// The same of values that are sorted already.
  public static func quantile(_ probability: Double, ofSorted values: [Double]) -> Double? {
    guard !values.isEmpty, (0...1).contains(probability) else { return nil }
    let position = Double(values.count - 1) * probability
    let below = Int(position)
    let above = min(below + 1, values.count - 1)
    return values[below] + (position - Double(below)) * (values[above] - values[below])
  }

  /// The middle value, or the mean of the two middle ones; nil of nothing.
  public static func median(_ values: [Double]) -> Double? { quantile(0.5, of: values) }
}

/// Two bounds of a figure, both included.
public struct Interval: Hashable, Sendable {
  /// The lower bound.
  public var low: Double
  /// The upper bound.
  public var high: Double

  /// Makes an interval of its bounds; nothing checks their order.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Whether a value lies between the bounds or on one.
  public func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// Whether every value of this interval lies in the other one.
  public func lies(within other: Interval) -> Bool { other.contains(low) && other.contains(high) }
}

extension Statistics {
  /// The fewest values of which the median has an interval at 95 %.
  public static let fewestForMedianInterval = 6

  /// The narrowest pair of order statistics, equally far from both ends, that covers the
  /// population's median with at least the level's probability, whatever the distribution.
  ///
  /// Nil where even the extremes do not cover it, as of fewer than six values at 95 %. The coverage
  /// of the k-th smallest and k-th largest of n is 1 - 2 P(Bin(n, ½) < k): Conover, "Practical
  /// Nonparametric Statistics", 3rd ed. (1999), section 3.2.
  public static func medianInterval(of values: [Double], level: Double = 0.95) -> Interval? {
    guard let rank = medianIntervalRank(count: values.count, level: level) else { return nil }
    let sorted = values.sorted()
    return Interval(low: sorted[rank - 1], high: sorted[values.count - rank])
  }

  /// The rank from either end, counted from 1, at which the median's interval begins; nil where
  /// there is none.
  public static func medianIntervalRank(count: Int, level: Double = 0.95) -> Int? {
    guard count > 0, level < 1 else { return nil }
    var logTerm = -Double(count) * log(2)
    var tail = 0.0
    var rank = 0
    while rank < (count + 1) / 2 {
      tail += exp(logTerm)
      guard 1 - 2 * tail >= level else { break }
      logTerm += log(Double(count - rank)) - log(Double(rank + 1))
      rank += 1
    }
    return rank > 0 ? rank : nil
  }
}

/// Which of the sorted values stand in the middle of a resample: they alone make its median.
struct MiddleRanks: Hashable {
  var lower: Int
  var upper: Int
  /// How many resamples have these.
  var times = 1

  /// Draws one resample of as many values as there are.
  init(count: Int, _ generator: inout SplitMix64) {
    self.init(draws: Self.draws(count: count, &generator))
  }

  /// Of a resample in which each of the sorted values is so many times.
  init(draws: [Int]) {
    let count = draws.count
    upper = Self.index(rank: count / 2, draws)
    lower = count.isMultiple(of: 2) ? Self.index(rank: count / 2 - 1, draws) : upper
  }

  /// Draws one resample of as many values as there are: how many times each is in it.
  static func draws(count: Int, _ generator: inout SplitMix64) -> [Int] {
    var draws = Array(repeating: 0, count: count)
    for _ in 0..<count { draws[generator.below(count)] += 1 }
    return draws
  }

  /// The median of the resample.
  func median(ofSorted values: [Double]) -> Double {
    lower == upper ? values[upper] : (values[lower] + values[upper]) / 2
  }

  private static func index(rank: Int, _ counts: [Int]) -> Int {
    var passed = 0
    for (index, count) in counts.enumerated() {
      passed += count
      if passed > rank { return index }
    }
    return counts.count - 1
  }
}

extension MiddleRanks {
  private struct Draw: Hashable {
    var count: Int
    var resamples: Int
    var seed: UInt64
  }

  /// The largest number of values whose draws are kept.
  private static let mostKept = 256

  private static let kept = Mutex<[Draw: [MiddleRanks]]>([:])

  /// The resamples of one seed: the same whatever the values are, so that a gate that looks at
  /// thousands of rows draws them once a number of values.
  static func drawn(count: Int, resamples: Int, seed: UInt64) -> [MiddleRanks] {
    let draw = Draw(count: count, resamples: resamples, seed: seed)
    if let found = kept.withLock({ $0[draw] }) { return found }
    let ranks = drawn(draw)
    if count <= mostKept { kept.withLock { $0[draw] = ranks } }
    return ranks
  }

  private static func drawn(_ draw: Draw) -> [MiddleRanks] {
    var generator = SplitMix64(seed: draw.seed)
    let all = (0..<draw.resamples).map { _ in MiddleRanks(count: draw.count, &generator) }
    return Dictionary(grouping: all) { $0 }.map { ranks, alike in
      MiddleRanks(lower: ranks.lower, upper: ranks.upper, times: alike.count)
    }
  }

  private init(lower: Int, upper: Int, times: Int) {
    (self.lower, self.upper, self.times) = (lower, upper, times)
  }
}

extension Statistics {
  /// The size at which two costs are level: where a straight line between two sizes, of the logarithm
  /// of the costs' ratio over the logarithm of the size, is 0.
  ///
  /// Nil where that distance does not fall from one size to the other, or the first size is 0.
  static func level(
    _ left: (size: Double, distance: Double), _ right: (size: Double, distance: Double)
  ) -> Double? {
    guard left.distance > right.distance, left.size > 0 else { return nil }
    let share = left.distance / (left.distance - right.distance)
    return exp(log(left.size) + share * (log(right.size) - log(left.size)))
  }
}
