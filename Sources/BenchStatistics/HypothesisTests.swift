import Foundation
import Synchronization

/// Wilcoxon's signed-rank test of differences, with the estimate and the interval that belong to it.
///
/// All three come from the Walsh averages, the means of every two differences and of each with itself. So p-value and
/// interval cannot contradict each other: p is at most 0.05 exactly if the interval leaves out 0. Ranks do not depend
/// on how wild a difference is. Sources: Wilcoxon, Biometrics Bulletin 1 (1945); Hodges & Lehmann, Ann. Math. Statist.
/// 34 (1963); Hollander & Wolfe, "Nonparametric Statistical Methods", section 3.3.
package struct SignedRank: Equatable, Sendable {
  /// The Hodges–Lehmann estimate: the median of the Walsh averages.
  package let estimate: Double
  /// The 95 % confidence interval, or nil for fewer than six differences.
  package let interval: Interval?
  /// The two-sided p-value. Averages of exactly 0 count against the evidence.
  package let p: Double

  /// The most differences that are analysed; their averages grow with the square.
  package static let most = 200

  /// Returns nil without differences, or for more than ``most``.
  package init?(_ differences: [Double]) {
    guard !differences.isEmpty, differences.count <= Self.most else { return nil }
    var averages: [Double] = []
    averages.reserveCapacity(differences.count * (differences.count + 1) / 2)
    for (place, first) in differences.enumerated() {
      for second in differences[place...] { averages.append((first + second) / 2) }
    }
    averages.sort()
    let chances = Self.chances(of: differences.count)
    let (below, above) = (averages.count { $0 < 0 }, averages.count { $0 > 0 })
    p = min(1, 2 * chances[averages.count - max(below, above)])
    // The largest number of averages on one side of a value that still rejects the value.
    let extreme = (chances.firstIndex { 2 * $0 > 0.05 } ?? 0) - 1
    interval =
      extreme < 0
      ? nil : Interval(low: averages[extreme], high: averages[averages.count - 1 - extreme])
    estimate = Statistics.median(averages) ?? 0
  }

  /// The smallest p-value of `count` differences: 2¹⁻ⁿ.
  package static func smallestP(_ count: Int) -> Double {
    count > 0 ? pow(2, Double(1 - count)) : 1
  }

  private static let kept = Mutex<[Int: [Double]]>([:])

  /// Returns the probability of at most 0, 1, 2, … averages above 0, if every sign is a fair coin.
  private static func chances(of count: Int) -> [Double] {
    if let found = kept.withLock({ $0[count] }) { return found }
    var chances = [1.0]
    for rank in 1...count {
      let without = chances + Array(repeating: 0, count: rank)
      chances = without.indices.map { sum in
        (without[sum] + (sum >= rank ? without[sum - rank] : 0)) / 2
      }
    }
    var sum = 0.0
    let cumulative = chances.map { chance in
      sum += chance
      return sum
    }
    kept.withLock { $0[count] = cumulative }
    return cumulative
  }
}

extension Statistics {
  /// Whether successive values are more alike than chance explains in one of 40 cases: the mean correlation of the
  /// series' ranks with the next ones is more than 1.96 standard errors above its expectation. Then the values are not
  /// independent, and no test of them holds. Source: Wald & Wolfowitz, Ann. Math. Statist. 14 (1943).
  package static func areAlike(_ series: [[Double]]) -> Bool {
    let found = series.filter { $0.count > 3 }.compactMap {
      values -> (sum: Double, count: Double)? in
      let count = Double(values.count)
      let ranks = doubledMidranks(values).map { Double($0) - (count + 1) }
      let squares = ranks.reduce(0) { $0 + $1 * $1 }
      let products = zip(ranks, ranks.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      return squares > 0 ? (count * products / squares + 1, count) : nil
    }
    let (sum, count) = found.reduce((0, 0)) { ($0.0 + $1.sum, $0.1 + $1.count) }
    return sum > 1.96 * count.squareRoot()
  }

  /// Returns twice the rank of every value. Ties share the mean of their ranks.
  private static func doubledMidranks(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = Array(repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = start + end + 1 }
      start = end
    }
    return ranks
  }

  /// Adjusts p-values so that a false alarm in a whole family is as rare as in one test.
  ///
  /// Step-down: the i-th smallest of k is multiplied by k - i + 1, never less than the one before
  /// and at most 1. Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
  /// Scandinavian Journal of Statistics 6 (1979).
  package static func holm(_ probabilities: [Double]) -> [Double] {
    var adjusted = probabilities
    var floor = 0.0
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    for (place, index) in order.enumerated() {
      floor = max(floor, min(1, probabilities[index] * Double(order.count - place)))
      adjusted[index] = floor
    }
    return adjusted
  }
}
