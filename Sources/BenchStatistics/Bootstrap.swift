import Basics
import Synchronization

extension Statistics {
  /// The number of resamples of a bootstrap interval: Efron & Tibshirani's 2,000 for percentiles.
  private static let resamples = 2_000
  /// The probability that a 95 % interval leaves out at either end.
  private static let tail = (1 - 0.95) / 2

  /// Returns the 95 % percentile bootstrap interval of the trimmed mean, or nil without values.
  ///
  /// Draws values with replacement, sorts the trimmed means of the resamples, and takes their
  /// quantiles (type 7) at both ends. One seed gives one interval. Source: Efron & Tibshirani, "An
  /// Introduction to the Bootstrap" (1993), section 13.3.
  package static func bootstrapTrimmedMean(of values: [Double], seed: UInt64 = 1) -> Interval? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let means = trimmedWeights(sorted.count, seed).withUnsafeBufferPointer { weights in
      stride(from: 0, to: weights.count, by: sorted.count).map { start in
        var sum = 0.0
        for index in sorted.indices { sum += weights[start + index] * sorted[index] }
        return sum
      }
    }
    return percentiles(of: means)
  }

  /// Returns the weight of each sorted value in the trimmed mean of each resample: one row per
  /// resample, which adds up to 1. For one seed the weights depend only on the number of values. So
  /// a gate that analyses thousands of rows draws them once per number.
  private static func trimmedWeights(_ count: Int, _ seed: UInt64) -> [Double] {
    let key = [UInt64(count), seed]
    if let found = keptWeights.withLock({ $0[key] }) { return found }
    var weights: [Double] = []
    weights.reserveCapacity(count * resamples)
    let middle = untrimmed(count)
    for draws in resampled(seed: seed, { ResampledMedian.draws(count: count, &$0) }) {
      var passed = 0
      for times in draws {
        let inside = middle.clamped(to: passed..<(passed + times))
        weights.append(Double(inside.count) / Double(middle.count))
        passed += times
      }
    }
    if count <= mostWeighted { keptWeights.withLock { $0[key] = weights } }
    return weights
  }

  /// The largest number of values whose weights are cached.
  private static let mostWeighted = 64
  private static let keptWeights = Mutex<[[UInt64]: [Double]]>([:])

  /// Returns the same interval of the difference of two independent medians, each side resampled by
  /// itself, or nil if a side has no values.
  package static func bootstrapMedianDifference(
    _ values: [Double], minus others: [Double], seed: UInt64 = 1
  ) -> Interval? {
    guard !values.isEmpty, !others.isEmpty else { return nil }
    let (left, right) = (values.sorted(), others.sorted())
    return percentiles(
      of: resampled(seed: seed) { generator in
        ResampledMedian(count: left.count, &generator).median(ofSorted: left)
          - ResampledMedian(count: right.count, &generator).median(ofSorted: right)
      })
  }

  /// Calls the closure once per resample, and returns what it draws.
  static func resampled<Figure>(
    seed: UInt64 = 1, _ figure: (inout SplitMix64) -> Figure
  ) -> [Figure] {
    var generator = SplitMix64(seed: seed)
    return (0..<resamples).map { _ in figure(&generator) }
  }

  /// Returns the 95 % percentile interval of the drawn figures, or nil without any.
  package static func percentiles(of drawn: [Double]) -> Interval? {
    let sorted = drawn.sorted()
    guard let low = quantile(tail, ofSorted: sorted),
      let high = quantile(1 - tail, ofSorted: sorted)
    else { return nil }
    return Interval(low: low, high: high)
  }
}

/// The ranks of the sorted values in the middle of a resample, which alone make its median.
package struct ResampledMedian: Sendable {
  private let lower: Int
  private let upper: Int

  init(count: Int, _ generator: inout SplitMix64) {
    self.init(draws: Self.draws(count: count, &generator), of: Array(0..<count))
  }

  /// Takes a resample with value i `draws[i]` times. `places` are the indices, ascending by value.
  init(draws: [Int], of places: [Int]) {
    var passed = 0
    var index = -1
    func reach(_ rank: Int) -> Int {
      while passed <= rank {
        index += 1
        passed += draws[places[index]]
      }
      return index
    }
    lower = reach((draws.count - 1) / 2)
    upper = reach(draws.count / 2)
  }

  /// Returns the middle ranks of many resamples of several groups with `counts` values: one row per
  /// resample. The same counts give the same rows, whatever the values are.
  package static func resampled(_ counts: [Int]) -> [[ResampledMedian]] {
    if let found = kept.withLock({ $0[counts] }) { return found }
    let all = Statistics.resampled { generator in
      counts.map { ResampledMedian(count: $0, &generator) }
    }
    kept.withLock { kept in
      if kept.count >= mostKept { kept = [:] }
      kept[counts] = all
    }
    return all
  }

  /// The largest number of cached lists of counts. Few runs have more, which empties the cache.
  private static let mostKept = 64
  private static let kept = Mutex<[[Int]: [[ResampledMedian]]]>([:])

  /// Draws one resample of `count` values, and returns how often each value is in it.
  static func draws(count: Int, _ generator: inout SplitMix64) -> [Int] {
    var draws = Array(repeating: 0, count: count)
    for _ in 0..<count { draws[generator.below(count)] += 1 }
    return draws
  }

  package func median(ofSorted values: [Double]) -> Double {
    lower == upper ? values[upper] : (values[lower] + values[upper]) / 2
  }
}

/// Values of one side of a comparison, with their weight in its sum.
package struct WeightedValues: Sendable {
  package let weight: Double
  /// The values in ascending order.
  package let sorted: [Double]
  /// The index of each sorted value in its source.
  private let places: [Int]
  /// The index of the source: values of one source are drawn together.
  private let source: Int

  package init(_ values: [Double], weight: Double, source: Int) {
    places = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    sorted = places.map { values[$0] }
    (self.weight, self.source) = (weight, source)
  }

  /// Returns the weighted median of a resample, in which `drawn` counts each value of each source.
  fileprivate func median(_ drawn: [[Int]]) -> Double {
    guard sorted.count > 1 else { return weight * sorted[0] }
    return weight * ResampledMedian(draws: drawn[source], of: places).median(ofSorted: sorted)
  }
}

extension Statistics {
  /// Returns the sum of weighted medians of every side, one row per resample. `counts` are the
  /// numbers of values of all sources.
  package static func resampledSums(
    of sides: [[WeightedValues]], counts: [Int]
  ) -> [[Double]] {
    resampled { generator in
      let drawn = counts.map { $0 == 1 ? [1] : ResampledMedian.draws(count: $0, &generator) }
      return sides.map { side in side.reduce(0) { $0 + $1.median(drawn) } }
    }
  }
}
