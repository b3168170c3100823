import Foundation

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
