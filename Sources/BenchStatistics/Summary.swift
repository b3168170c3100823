import Foundation

/// The summary statistics of one series, in the metric's unit.
///
/// The block, a fresh process, is the unit of analysis. Values of one block share what differs
/// between processes, such as code layout and addresses. So the middle is the median of the blocks'
/// medians, and its interval counts blocks. The other figures describe all samples together.
package struct Summary: Equatable, Sendable {
  package var samples: Int
  package var blocks: Int
  package var min: Double
  package var p50: Double
  package var mean: Double
  /// Percentiles of all samples, type 7 of Hyndman & Fan.
  package var p90: Double
  package var p99: Double
  package var max: Double
  /// The standard deviation of all samples, n - 1, or nil for one sample.
  package var standardDeviation: Double?
  /// The 95 % interval of the typical block, see ``Statistics/interval(ofTypical:)``. Nil for too few blocks, and for
  /// exact metrics, which have no uncertainty.
  package var interval: Interval?

  /// Summarises raw values by block, or nil if there are none or one is not finite.
  package init?(blocks: [[Double]], isExact: Bool = false) {
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
    interval = isExact ? nil : Statistics.interval(ofTypical: medians)
  }

  /// The longer half-width of the interval relative to ``p50``, as 0.04 for ±4 %, or nil without an
  /// interval or if ``p50`` is not above 0.
  package var relativeWidth: Double? {
    guard let interval, p50 > 0 else { return nil }
    return Swift.max(interval.high - p50, p50 - interval.low) / p50
  }
}

/// The statistical methods: pure functions of numbers, independent of runs and metrics.
///
/// Every function returns nil if its figure is undefined, never 0 or NaN. Values must be finite;
/// ``Summary`` rejects others first.
package enum Statistics {
  package static func mean(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.reduce(0, +) / Double(values.count)
  }

  /// Returns the sample standard deviation, divided by n - 1, or nil for fewer than two values.
  package static func standardDeviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// Returns the mean of the values without a quarter at either end, or nil without values.
  ///
  /// It leaves out a machine's hiccups but counts all other values, while a median rests on one or two. Source: Tukey, "A Survey of Sampling from Contaminated Distributions" (1960);
  /// Wilcox, "Introduction to Robust Estimation and Hypothesis Testing", 3.3.
  package static func trimmedMean(_ values: [Double]) -> Double? {
    mean(Array(values.sorted()[values.count / 4..<values.count - values.count / 4]))
  }

  /// Returns the quantile at a probability in 0...1, interpolated between order statistics; nil
  /// without values or for a probability out of range. Type 7 of Hyndman & Fan, "Sample Quantiles
  /// in Statistical Packages", The American Statistician 50 (1996): position (n - 1) p, the default
  /// of R, NumPy and spreadsheets.
  package static func quantile(_ probability: Double, of values: [Double]) -> Double? {
    quantile(probability, ofSorted: values.sorted())
  }

  package static func quantile(_ probability: Double, ofSorted values: [Double]) -> Double? {
    guard !values.isEmpty, (0...1).contains(probability) else { return nil }
    let position = Double(values.count - 1) * probability
    let below = Int(position)
    let above = min(below + 1, values.count - 1)
    let share = position - Double(below)
    // With infinite values, the difference or 0 times it would be NaN.
    guard share > 0, values[above] != values[below] else { return values[below] }
    return values[below] + share * (values[above] - values[below])
  }

  package static func median(_ values: [Double]) -> Double? { quantile(0.5, of: values) }
}

/// Two bounds of a figure, both included.
package struct Interval: Equatable, Sendable {
  package var low: Double
  package var high: Double

  package init(low: Double, high: Double) {
    (self.low, self.high) = (low, high)
  }

  /// Spans from the smallest value to the largest, or nil without values.
  package init?(of values: [Double]) {
    guard let low = values.min(), let high = values.max() else { return nil }
    self.init(low: low, high: high)
  }

  package var width: Double { high - low }

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// Transforms both bounds; the transformation must keep their order.
  package func map(_ turn: (Double) -> Double) -> Interval {
    Interval(low: turn(low), high: turn(high))
  }

  /// Returns the interval, widened as far as it takes to include a value.
  package func including(_ value: Double) -> Interval {
    Interval(low: min(low, value), high: max(high, value))
  }

  /// Returns the interval with both bounds moved outwards.
  package func widened(by amount: Double) -> Interval {
    Interval(low: low - amount, high: high + amount)
  }

  /// Whether every value of this interval lies in the other one.
  package func lies(within other: Interval) -> Bool { other.contains(low) && other.contains(high) }
}

extension Statistics {
  /// Returns the 95 % interval of the typical value: Student's, of the mean of the logarithms. If a value is not
  /// above 0, it is that of the values themselves. Either includes the median, which may be far from the mean of
  /// lopsided values. Nil for fewer than ``MeanSum/fewest`` values.
  package static func interval(ofTypical values: [Double]) -> Interval? {
    let areRatios = values.allSatisfy { $0 > 0 }
    guard let mean = MeanSum([(1, areRatios ? values.map { log($0) } : values)]),
      let median = median(values)
    else { return nil }
    // Logarithm and its inverse round, but equal values have no doubt.
    guard Set(values).count > 1 else { return Interval(low: median, high: median) }
    return (areRatios ? mean.interval.map(exp) : mean.interval).including(median)
  }
}
