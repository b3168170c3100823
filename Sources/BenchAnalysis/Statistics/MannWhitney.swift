import Foundation

extension Statistics {
  /// Up to how many values on both sides together the Mann–Whitney test counts every split.
  public static let mannWhitneyExactLimit = 100

  /// What the Mann–Whitney test says.
  public struct MannWhitney: Hashable, Sendable {
    /// Pairs in which the first side is larger, ties counting half.
    public var u: Double
    /// The two-sided probability: twice the smaller tail, at most 1.
    public var p: Double
  }

  /// Whether one side tends to larger values than the other, two-sided; nil if a side is empty.
  ///
  /// The distribution of the rank sum over all splits is exact by dynamic programming on midranks,
  /// so ties are too, up to ``mannWhitneyExactLimit``; beyond it the normal approximation with
  /// corrections for ties and continuity. Sources: Mann & Whitney, Ann. Math. Statist. 18 (1947);
  /// Streitberg & Röhmel (1986); Lehmann, "Nonparametrics" (1975), sections 1.2 to 1.4.
  public static func mannWhitney(_ first: [Double], _ second: [Double]) -> MannWhitney? {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let ranks = doubledMidranks(first + second)
    let sum = ranks[..<first.count].reduce(0, +)
    let u = Double(sum - first.count * (first.count + 1)) / 2
    let p =
      ranks.count <= mannWhitneyExactLimit
      ? exactSplits(ranks: ranks, chosen: first.count, sum: sum)
      : normalSplits(ranks: ranks, first: first.count, second: second.count, u: u)
    return MannWhitney(u: u, p: p)
  }

  /// The smallest probability that the test can give of so many values: 2 / C(m + n, m).
  public static func mannWhitneySmallest(_ first: Int, _ second: Int) -> Double {
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
    guard variance > 0 else { return 1 }
    let distance = max(0, abs(u - m * n / 2) - 0.5)
    return min(1, erfc(distance / variance.squareRoot() / 2.0.squareRoot()))
  }
}
