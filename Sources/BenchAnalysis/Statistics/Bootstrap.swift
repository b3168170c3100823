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
    guard var source = Resampler(values) else { return nil }
    var generator = SplitMix64(seed: seed)
    return percentiles(level: level, resamples: resamples) { source.median(&generator) }
  }

  /// The same of the difference of two independent medians, each side resampled by itself.
  public static func bootstrapMedianDifference(
    _ values: [Double], minus others: [Double], level: Double = 0.95,
    resamples: Int = bootstrapResamples, seed: UInt64 = 1
  ) -> Interval? {
    guard var left = Resampler(values), var right = Resampler(others) else { return nil }
    var generator = SplitMix64(seed: seed)
    return percentiles(level: level, resamples: resamples) {
      left.median(&generator) - right.median(&generator)
    }
  }

  private static func percentiles(
    level: Double, resamples: Int, _ draw: () -> Double
  ) -> Interval? {
    guard resamples > 0 else { return nil }
    let drawn = (0..<resamples).map { _ in draw() }.sorted()
    guard let low = quantile((1 - level) / 2, ofSorted: drawn),
      let high = quantile((1 + level) / 2, ofSorted: drawn)
    else { return nil }
    return Interval(low: low, high: high)
  }
}

/// Draws resamples as counts of sorted values, so that a median needs no further sorting.
private struct Resampler {
  private let sorted: [Double]
  private var counts: [Int]

  init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    sorted = values.sorted()
    counts = Array(repeating: 0, count: values.count)
  }

  mutating func median(_ generator: inout SplitMix64) -> Double {
    for index in counts.indices { counts[index] = 0 }
    for _ in counts.indices { counts[generator.index(below: counts.count)] += 1 }
    let upper = value(rank: counts.count / 2)
    guard counts.count.isMultiple(of: 2) else { return upper }
    return (value(rank: counts.count / 2 - 1) + upper) / 2
  }

  private func value(rank: Int) -> Double {
    var passed = 0
    for (index, count) in counts.enumerated() {
      passed += count
      if passed > rank { return sorted[index] }
    }
    return sorted[sorted.count - 1]
  }
}
