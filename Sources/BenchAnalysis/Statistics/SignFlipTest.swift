import Foundation
import Synchronization

extension Statistics {
  /// Up to how many differences other than 0 the sign-flip test counts every one of the 2ⁿ flips.
  public static let signFlipExactLimit = 200

  /// The two-sided probability of differences at least as lopsided as these, were every sign a fair
  /// coin: the sign-flip test on the sum of signed midranks. Nil of nothing.
  ///
  /// Ranks rather than the differences themselves, since a machine's hiccup makes one block wild and
  /// must not hide what the others agree on. Differences of exactly 0 carry no sign and are left
  /// out; if all are 0, the answer is 1. The distribution is exact by dynamic programming, ties
  /// included, to ``signFlipExactLimit``; beyond it 19,999 seeded flips estimate it, the observed
  /// one counted among them (Phipson & Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010). Sources:
  /// Wilcoxon, Biometrics Bulletin 1 (1945); Streitberg & Röhmel, Statistical Software Newsletter 12
  /// (1986), for the shift algorithm.
  public static func signFlip(_ differences: [Double], seed: UInt64 = 1) -> Double? {
    guard !differences.isEmpty else { return nil }
    let signed = differences.filter { $0 != 0 }
    guard !signed.isEmpty else { return 1 }
    let ranks = doubledMidranks(signed.map(abs))
    let total = ranks.reduce(0, +)
    let positive = zip(ranks, signed).reduce(0) { $0 + ($1.1 > 0 ? $1.0 : 0) }
    let extreme = min(positive, total - positive)
    guard signed.count <= signFlipExactLimit else {
      return sampledFlips(ranks: ranks, total: total, extreme: extreme, seed: seed)
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

  /// The smallest probability that the test can give of so many differences: 2¹⁻ⁿ.
  public static func signFlipSmallest(count: Int) -> Double {
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

  private static func sampledFlips(
    ranks: [Int], total: Int, extreme: Int, seed: UInt64
  ) -> Double {
    let draws = 19_999
    var generator = SplitMix64(seed: seed)
    var hits = 0
    for _ in 0..<draws {
      let sum = flippedSum(ranks, &generator)
      if min(sum, total - sum) <= extreme { hits += 1 }
    }
    return Double(hits + 1) / Double(draws + 1)
  }

  private static func flippedSum(_ ranks: [Int], _ generator: inout SplitMix64) -> Int {
    var sum = 0
    var coins: UInt64 = 0
    for (index, rank) in ranks.enumerated() {
      if index.isMultiple(of: 64) { coins = generator.next() }
      if coins & 1 == 1 { sum += rank }
      coins >>= 1
    }
    return sum
  }
}
