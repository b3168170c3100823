import Basics
import Synchronization

extension Statistics {
  /// How many resamples a bootstrap interval takes: Efron & Tibshirani's 2,000 for percentiles.
  private static let resamples = 2_000
  /// The probability that an interval at 95 % leaves out at either end.
  private static let tail = (1 - 0.95) / 2

  /// The percentile bootstrap interval of the trimmed mean at 95 %, nil of nothing.
  ///
  /// Values are drawn with replacement, the trimmed means of the resamples sorted, and their quantiles
  /// (type 7) taken at both ends. One seed gives one interval. Source: Efron & Tibshirani, "An
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

  /// The weight of each sorted value in the trimmed mean of each resample: a row a resample, which adds up to 1.
  /// It is the same for one seed whatever the values are, so that a gate that looks at thousands of rows draws it
  /// once a number of values.
  private static func trimmedWeights(_ count: Int, _ seed: UInt64) -> [Double] {
    let key = [UInt64(count), seed]
    if let found = keptWeights.withLock({ $0[key] }) { return found }
    var weights: [Double] = []
    weights.reserveCapacity(count * resamples)
    let middle = untrimmed(count)
    for draws in resampled(seed: seed, { MiddleRanks.draws(count: count, &$0) }) {
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

  /// The largest number of values whose weights are kept.
  private static let mostWeighted = 64
  private static let keptWeights = Mutex<[[UInt64]: [Double]]>([:])

  /// The same of the difference of two independent medians, each side resampled by itself; nil where one
  /// has no values.
  package static func bootstrapMedianDifference(
    _ values: [Double], minus others: [Double], seed: UInt64 = 1
  ) -> Interval? {
    guard !values.isEmpty, !others.isEmpty else { return nil }
    let (left, right) = (values.sorted(), others.sorted())
    return percentiles(
      of: resampled(seed: seed) { generator in
        MiddleRanks(count: left.count, &generator).median(ofSorted: left)
          - MiddleRanks(count: right.count, &generator).median(ofSorted: right)
      })
  }

  /// What the closure draws, once for each resample: figures that are to be compared within one.
  static func resampled<Figure>(
    seed: UInt64 = 1, _ figure: (inout SplitMix64) -> Figure
  ) -> [Figure] {
    var generator = SplitMix64(seed: seed)
    return (0..<resamples).map { _ in figure(&generator) }
  }

  /// The percentile interval at 95 % of what was drawn; nil of nothing.
  static func percentiles(of drawn: [Double]) -> Interval? {
    let sorted = drawn.sorted()
    guard let low = quantile(tail, ofSorted: sorted),
      let high = quantile(1 - tail, ofSorted: sorted)
    else { return nil }
    return Interval(low: low, high: high)
  }
}

/// Which of the sorted values stand in the middle of a resample: they alone make its median.
struct MiddleRanks: Sendable {
  private let lower: Int
  private let upper: Int

  init(count: Int, _ generator: inout SplitMix64) {
    self.init(draws: Self.draws(count: count, &generator), of: Array(0..<count))
  }

  /// Of a resample in which each value is so many times, of values of which the places are given in their order.
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

  /// Those of many resamples of several groups of values, so many in each: a row a resample, the same for the same
  /// counts, whatever the values are.
  static func resampled(_ counts: [Int]) -> [[MiddleRanks]] {
    if let found = kept.withLock({ $0[counts] }) { return found }
    let all = Statistics.resampled { generator in
      counts.map { MiddleRanks(count: $0, &generator) }
    }
    kept.withLock { kept in
      if kept.count >= mostKept { kept = [:] }
      kept[counts] = all
    }
    return all
  }

  /// How many lists of counts are kept: a run that has more is rare, and draws again.
  private static let mostKept = 64
  private static let kept = Mutex<[[Int]: [[MiddleRanks]]]>([:])

  /// Draws one resample of as many values as there are: how many times each is in it.
  static func draws(count: Int, _ generator: inout SplitMix64) -> [Int] {
    var draws = Array(repeating: 0, count: count)
    for _ in 0..<count { draws[generator.below(count)] += 1 }
    return draws
  }

  func median(ofSorted values: [Double]) -> Double {
    lower == upper ? values[upper] : (values[lower] + values[upper]) / 2
  }
}
