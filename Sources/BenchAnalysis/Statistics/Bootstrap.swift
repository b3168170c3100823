import Basics

extension Statistics {
  /// How many resamples a bootstrap interval takes: Efron & Tibshirani's 2,000 for percentiles.
  public static let bootstrapResamples = 2_000

  /// The percentile bootstrap interval of the median, nil of nothing.
  ///
  /// Values are drawn with replacement, the medians of the resamples sorted, and their quantiles
  /// (type 7) taken at both ends. One seed gives one interval. Source: Efron & Tibshirani, "An
  /// Introduction to the Bootstrap" (1993), section 13.3.
  public static func bootstrapMedian(
    of values: [Double], level: Double = 0.95, resamples: Int = bootstrapResamples,
    seed: UInt64 = 1
  ) -> Interval? {
    guard !values.isEmpty, resamples > 0, (0...1).contains(level) else { return nil }
    let sorted = values.sorted()
    let medians = MiddleRanks.drawn(count: values.count, resamples: resamples, seed: seed)
      .map { (value: $0.median(ofSorted: sorted), times: $0.times) }
      .sorted { $0.value < $1.value }
    return Interval(
      low: quantile((1 - level) / 2, ofSorted: medians, count: resamples),
      high: quantile((1 + level) / 2, ofSorted: medians, count: resamples))
  }

  /// The same of the difference of two independent medians, each side resampled by itself.
  public static func bootstrapMedianDifference(
    _ values: [Double], minus others: [Double], level: Double = 0.95,
    resamples: Int = bootstrapResamples, seed: UInt64 = 1
  ) -> Interval? {
    guard !values.isEmpty, !others.isEmpty, resamples > 0 else { return nil }
    let (left, right) = (values.sorted(), others.sorted())
    var generator = SplitMix64(seed: seed)
    let drawn = (0..<resamples).map { _ in
      MiddleRanks(count: left.count, &generator).median(ofSorted: left)
        - MiddleRanks(count: right.count, &generator).median(ofSorted: right)
    }.sorted()
    guard let low = quantile((1 - level) / 2, ofSorted: drawn),
      let high = quantile((1 + level) / 2, ofSorted: drawn)
    else { return nil }
    return Interval(low: low, high: high)
  }

  /// Type 7 of sorted values that occur several times each, so many in all.
  private static func quantile(
    _ probability: Double, ofSorted values: [(value: Double, times: Int)], count: Int
  ) -> Double {
    let position = Double(count - 1) * probability
    let below = Int(position)
    let (low, high) = (value(below, values), value(min(below + 1, count - 1), values))
    return low + (position - Double(below)) * (high - low)
  }

  private static func value(_ rank: Int, _ values: [(value: Double, times: Int)]) -> Double {
    var passed = 0
    for (value, times) in values {
      passed += times
      if passed > rank { return value }
    }
    return values[values.count - 1].value
  }
}
