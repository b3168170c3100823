import Foundation

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
