import Foundation
import Synchronization

extension Statistics {
  /// The largest number of nonzero differences for which the sign-flip test counts all 2ⁿ flips.
  package static let signFlipExactLimit = 200

  /// Returns the two-sided p-value of the sign-flip test on the sum of signed midranks, or nil without
  /// differences. It is the probability of differences at least as lopsided if every sign were a fair coin.
  /// The test uses ranks, so that one wild block does not hide what the others agree on. Differences of
  /// exactly 0 have no sign and are left out; if all are 0, the result is 1. The distribution is exact by
  /// dynamic programming, ties included, up to ``signFlipExactLimit``. Beyond it, which no gate's plan
  /// reaches, the normal approximation is used. Sources: Wilcoxon, Biometrics Bulletin 1 (1945); Streitberg
  /// & Röhmel, Statistical Software Newsletter 12 (1986), for the shift algorithm.
  package static func signFlip(_ differences: [Double]) -> Double? {
    guard !differences.isEmpty else { return nil }
    let signed = differences.filter { $0 != 0 }
    guard !signed.isEmpty else { return 1 }
    let ranks = doubledMidranks(signed.map(abs))
    let total = ranks.reduce(0, +)
    let positive = zip(ranks, signed).reduce(0) { $0 + ($1.1 > 0 ? $1.0 : 0) }
    let extreme = min(positive, total - positive)
    guard signed.count <= signFlipExactLimit else {
      // With fair coins, the variance of a sum of ranks is a quarter of the sum of squares.
      let squares = ranks.reduce(0.0) { $0 + Double($1) * Double($1) }
      return normal(Double(total) / 2 - Double(extreme), variance: squares / 4)
    }
    return min(1, 2 * atMost(extreme, ranks: ranks))
  }

  /// Returns the probability that the ranks whose coin shows heads add up to at most `sum`.
  private static func atMost(_ sum: Int, ranks: [Int]) -> Double {
    let count = ranks.count
    let untied = 2 * count * (count + 1) * (2 * count + 1) / 3
    guard ranks.reduce(0, { $0 + $1 * $1 }) == untied, count <= mostKept else {
      return sumDistribution(ranks: ranks, upTo: sum).reduce(0, +)
    }
    return untiedSums(count: count)[sum]
  }

  /// The largest number of differences whose distribution is cached.
  private static let mostKept = 64

  private static let kept = Mutex<[Int: [Double]]>([:])

  /// Returns the cumulative distribution without ties, the same for any `count` differences.
  private static func untiedSums(count: Int) -> [Double] {
    if let found = kept.withLock({ $0[count] }) { return found }
    let ranks = (1...count).map { 2 * $0 }
    var sum = 0.0
    let sums = sumDistribution(ranks: ranks, upTo: count * (count + 1)).map { term in
      sum += term
      return sum
    }
    kept.withLock { $0[count] = sums }
    return sums
  }

  /// Returns the smallest p-value that the test can give for `count` differences: 2¹⁻ⁿ.
  package static func signFlipSmallest(count: Int) -> Double {
    count > 0 ? pow(2, Double(1 - count)) : 1
  }

  /// Returns the probability of every sum, up to `most`, of the ranks whose coin shows heads.
  private static func sumDistribution(ranks: [Int], upTo most: Int) -> [Double] {
    var distribution = Array(repeating: 0.0, count: most + 1)
    distribution[0] = 1
    var reached = 0
    for rank in ranks {
      reached = min(reached + rank, most)
      for sum in stride(from: reached, through: 0, by: -1) {
        let shifted = sum >= rank ? distribution[sum - rank] : 0
        distribution[sum] = (distribution[sum] + shifted) / 2
      }
    }
    return distribution
  }

  /// Returns the two-sided probability of a distance from a normal mean, corrected by a half for continuity.
  private static func normal(_ distance: Double, variance: Double) -> Double {
    variance > 0 ? min(1, erfc(max(0, distance - 0.5) / (2 * variance).squareRoot())) : 1
  }

  /// The largest number of values on both sides for which the Mann–Whitney test counts every split.
  package static let mannWhitneyExactLimit = 100

  /// Tests whether one side has larger values than the other, or nil if a side is empty. Returns in how
  /// many pairs the first side is larger, ties counting half, and twice the smaller tail as `p`.
  ///
  /// Up to ``mannWhitneyExactLimit`` the distribution of the rank sum over all splits is exact, ties
  /// included, by dynamic programming on midranks. Beyond it, it is the normal approximation with
  /// corrections for ties and continuity. Sources: Mann & Whitney, Ann. Math. Statist. 18 (1947);
  /// Streitberg & Röhmel (1986); Lehmann, "Nonparametrics" (1975), sections 1.2 to 1.4.
  package static func mannWhitney(
    _ first: [Double], _ second: [Double]
  ) -> (u: Double, p: Double)? {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let ranks = doubledMidranks(first + second)
    let sum = ranks[..<first.count].reduce(0, +)
    let u = Double(sum - first.count * (first.count + 1)) / 2
    let p =
      ranks.count <= mannWhitneyExactLimit
      ? exactSplits(ranks: ranks, chosen: first.count, sum: sum)
      : normalSplits(ranks: ranks, first: first.count, second: second.count, u: u)
    return (u, p)
  }

  /// Returns the smallest p-value that the test can give for these sizes: 2 / C(m + n, m).
  package static func mannWhitneySmallest(_ first: Int, _ second: Int) -> Double {
    guard first > 0, second > 0 else { return 1 }
    return min(1, (1...first).reduce(2) { $0 * Double($1) / Double(second + $1) })
  }

  private static func exactSplits(ranks: [Int], chosen: Int, sum: Int) -> Double {
    let counts = splitCounts(ranks: ranks, chosen: chosen)
    let all = counts.reduce(0, +)
    let below = counts[...sum].reduce(0, +) / all
    let above = counts[sum...].reduce(0, +) / all
    return min(1, 2 * min(below, above))
  }

  /// Returns in how many ways `chosen` ranks can give each sum. Counts of up to C(100, 50) are
  /// floating point, with a rounding error below 10⁻¹² of a probability.
  private static func splitCounts(ranks: [Int], chosen: Int) -> [Double] {
    let width = ranks.reduce(0, +) + 1
    var ways = Array(repeating: 0.0, count: (chosen + 1) * width)
    ways[0] = 1
    for (seen, rank) in ranks.enumerated() {
      for size in stride(from: min(seen + 1, chosen), through: 1, by: -1) {
        let (row, previous) = (size * width, (size - 1) * width)
        for sum in rank..<width { ways[row + sum] += ways[previous + sum - rank] }
      }
    }
    return Array(ways[(chosen * width)...])
  }

  private static func normalSplits(ranks: [Int], first: Int, second: Int, u: Double) -> Double {
    let (m, n, total) = (Double(first), Double(second), Double(first + second))
    let ties = Dictionary(grouping: ranks) { $0 }.values.reduce(0.0) {
      let size = Double($1.count)
      return $0 + size * (size * size - 1)
    }
    let variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)))
    return normal(abs(u - m * n / 2), variance: variance)
  }

  /// Returns twice the rank of every value, where ties share the mean of their ranks. These are
  /// whole numbers, so that sums of them compare exactly. Source of midranks: Lehmann,
  /// "Nonparametrics" (1975), section 1.4.
  package static func doubledMidranks(_ values: [Double]) -> [Int] {
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

  /// Returns which tests of a family could be significant at all, by the smallest p-value that each
  /// can give. Sample sizes alone decide the others, which may leave the family. Source: Tarone, "A
  /// Modified Bonferroni Method for Discrete Data", Biometrics 46 (1990).
  package static func testable(smallest: [Double], alpha: Double = 0.05) -> [Bool] {
    var size = 1
    while smallest.count(where: { $0 * Double(size) < alpha }) > size { size += 1 }
    return smallest.map { $0 * Double(size) < alpha }
  }
}
