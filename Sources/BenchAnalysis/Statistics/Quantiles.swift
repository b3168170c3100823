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
