import Foundation

/// A weighted sum of the means of independent samples, with its uncertainty by Student's t.
///
/// With the weights 1 and -1 it is Welch's comparison of two runs. Every sample has its own variance, and the degrees
/// of freedom are rounded down, so that the interval is rather too wide. Sources: Welch, "The Generalization of
/// Student's Problem", Biometrika 34 (1947); Satterthwaite, "An Approximate Distribution of Estimates of Variance
/// Components", Biometrics Bulletin 2 (1946).
package struct MeanSum: Equatable, Sendable {
  package let estimate: Double
  package let error: Double
  package let freedom: Int

  /// The fewest values of a sample. Two hardly show how far values scatter.
  package static let fewest = 3

  /// Returns nil without samples, or if one has fewer than ``fewest`` values.
  package init?(_ samples: [(weight: Double, values: [Double])]) {
    var (estimate, variance, squares) = (0.0, 0.0, 0.0)
    for (weight, values) in samples {
      guard values.count >= Self.fewest, let mean = Statistics.mean(values),
        let deviation = Statistics.standardDeviation(values)
      else { return nil }
      let part = weight * weight * deviation * deviation / Double(values.count)
      estimate += weight * mean
      variance += part
      squares += part * part / Double(values.count - 1)
    }
    guard !samples.isEmpty else { return nil }
    (self.estimate, error) = (estimate, variance.squareRoot())
    // The quotient is at least the freedom of the smallest sample, up to rounding.
    freedom = squares > 0 ? max(Int(variance * variance / squares + 1e-9), 1) : 1
  }

  /// Half the width of the 95 % confidence interval.
  package var reach: Double {
    error > 0 ? error * (Statistics.studentT(0.95, freedom) ?? .infinity) : 0
  }

  package var interval: Interval { Interval(low: estimate - reach, high: estimate + reach) }

  /// The two-sided p-value of the hypothesis that the sum is 0.
  package var p: Double {
    guard error > 0 else { return estimate == 0 ? 1 : 0 }
    return max(0, 1 - Statistics.studentShare(within: abs(estimate) / error, freedom))
  }
}
