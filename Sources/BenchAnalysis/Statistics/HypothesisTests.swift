import Foundation
import Synchronization

extension Statistics {
  /// Up to how many differences other than 0 the sign-flip test counts every one of the 2ⁿ flips.
  package static let signFlipExactLimit = 200

  /// The two-sided p-value: the probability of differences at least as lopsided as these, were every sign a fair
  /// coin: the sign-flip test on the sum of signed midranks. Nil of nothing. Ranks rather than the differences
  /// themselves, since a machine's hiccup makes one block wild and must not hide what the others agree on.
  /// Differences of exactly 0 carry no sign and are left out; if all are 0, the answer is 1. The distribution is
  /// exact by dynamic programming, ties included, to ``signFlipExactLimit``; beyond it, which no gate's plan
  /// reaches, the normal approximation holds. Sources: Wilcoxon, Biometrics Bulletin 1 (1945); Streitberg &
  /// Röhmel, Statistical Software Newsletter 12 (1986), for the shift algorithm.
  package static func signFlip(_ differences: [Double]) -> Double? {
    guard !differences.isEmpty else { return nil }
    let signed = differences.filter { $0 != 0 }
    guard !signed.isEmpty else { return 1 }
    let ranks = doubledMidranks(signed.map(abs))
    let total = ranks.reduce(0, +)
    let positive = zip(ranks, signed).reduce(0) { $0 + ($1.1 > 0 ? $1.0 : 0) }
    let extreme = min(positive, total - positive)
    guard signed.count <= signFlipExactLimit else {
      // A fair coin's sum of the doubled ranks has a quarter of their squares for a variance.
      let squares = ranks.reduce(0.0) { $0 + Double($1) * Double($1) }
      return normal(Double(total) / 2 - Double(extreme), variance: squares / 4)
    }
    return min(1, 2 * atMost(extreme, ranks: ranks))
  }

  /// The probability that the ranks whose coin shows heads add up to so much at most.
  private static func atMost(_ sum: Int, ranks: [Int]) -> Double {
    let count = ranks.count
    let untied = 2 * count * (count + 1) * (2 * count + 1) / 3
    guard ranks.reduce(0, { $0 + $1 * $1 }) == untied, count <= mostKept else {
      return sumDistribution(ranks: ranks, upTo: sum).reduce(0, +)
    }
    return untiedSums(count: count)[sum]
  }

  /// The largest number of differences whose distribution is kept.
  private static let mostKept = 64

  private static let kept = Mutex<[Int: [Double]]>([:])

  /// The cumulated distribution without ties, which is one for all differences of one number.
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

  /// The smallest p-value that the test can give of so many differences: 2¹⁻ⁿ.
  package static func signFlipSmallest(count: Int) -> Double {
    count > 0 ? pow(2, Double(1 - count)) : 1
  }

  /// The probability of every sum, up to one, of the ranks whose coin shows heads.
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

  /// The two-sided probability of so far from a normal distribution's middle, corrected by a half for continuity.
  private static func normal(_ distance: Double, variance: Double) -> Double {
    variance > 0 ? min(1, erfc(max(0, distance - 0.5) / (2 * variance).squareRoot())) : 1
  }

  /// Up to how many values on both sides together the Mann–Whitney test counts every split.
  package static let mannWhitneyExactLimit = 100

  /// Whether one side tends to larger values than the other: in how many pairs the first side is larger, ties
  /// counting half, and the two-sided p-value, twice the smaller tail; nil if a side is empty.
  ///
  /// The distribution of the rank sum over all splits is exact by dynamic programming on midranks,
  /// so ties are too, up to ``mannWhitneyExactLimit``; beyond it the normal approximation with
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

  /// The smallest p-value that the test can give of so many values: 2 / C(m + n, m).
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

  /// In how many ways so many ranks can be chosen to give each sum; counts of up to C(100, 50) are
  /// kept as floating point, whose rounding stays below 10⁻¹² of a probability.
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

  /// Twice the rank of every value, ties sharing the mean of their ranks: whole numbers, so that
  /// sums of them compare exactly. Source of midranks: Lehmann, "Nonparametrics" (1975), section
  /// 1.4.
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

  /// P-values adjusted so that, of a whole family, a false alarm is as rare as of one test.
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

  /// Which tests of a family could reach significance at all, by the smallest p-value that each can
  /// give: the others, decided by sample sizes alone, may leave the family. Source: Tarone, "A
  /// Modified Bonferroni Method for Discrete Data", Biometrics 46 (1990).
  package static func testable(smallest: [Double], alpha: Double = 0.05) -> [Bool] {
    var size = 1
    while smallest.count(where: { $0 * Double(size) < alpha }) > size { size += 1 }
    return smallest.map { $0 * Double(size) < alpha }
  }
}
