import Foundation

/// The evidence on the natural logarithm of candidate over baseline, from block medians.
///
/// Paired blocks: the median of d = ln(candidate / baseline). Unpaired: the difference of the
/// medians of the logs. The log makes twice as slow and twice as fast equally far from the same.
struct LogRatio: Hashable, Sendable {
  /// The estimate.
  var estimate: Double
  /// Its 95 % percentile bootstrap interval.
  var interval: Interval
  /// The test's two-sided probability: sign flips of pairs, Mann–Whitney of unpaired blocks.
  var p: Double
  /// The smallest probability that so many blocks could have given.
  var smallestP: Double
  /// Blocks on the side that has fewer.
  var blocks: Int
  /// What 1 in 20 comparisons of equal code would exceed, by the spread of blocks alone.
  var spread: Double
  /// The noise that a row learns from its blocks: the spread of two runs measured apart; 0 of pairs,
  /// in which the machine's moods cancel and whose interval holds the rest.
  var learned: Double
}

extension LogRatio {
  /// Nil where a side has no blocks or a block median is not above 0.
  ///
  /// Paired blocks are matched in run order; a last turn of which one half is absent is left out.
  init?(candidate: [Double], baseline: [Double], design: Design) {
    guard (candidate + baseline).allSatisfy({ $0 > 0 }) else { return nil }
    let (new, old) = (candidate.map { log($0) }, baseline.map { log($0) })
    switch design {
    case .paired: self.init(differences: zip(new, old).map { $0 - $1 })
    case .unpaired: self.init(new, minus: old)
    }
  }

  /// The evidence of pairs by their differences of logarithms; nil of none.
  init?(differences: [Double]) {
    guard let estimate = Statistics.median(differences),
      let interval = Self.mirroredInterval(differences),
      let p = Statistics.signFlip(differences)
    else { return nil }
    (self.estimate, self.interval, self.p) = (estimate, interval, p)
    blocks = differences.count
    smallestP = Statistics.signFlipSmallest(count: blocks)
    spread = Self.reach(Statistics.robustDeviation(differences) ?? 0, 1 / Double(blocks))
    learned = 0
  }

  private init?(_ new: [Double], minus old: [Double]) {
    guard let newMedian = Statistics.median(new), let oldMedian = Statistics.median(old),
      let interval = Statistics.bootstrapMedianDifference(new, minus: old),
      let p = Statistics.mannWhitney(new, old)?.p
    else { return nil }
    (estimate, self.interval, self.p) = (newMedian - oldMedian, interval, p)
    blocks = min(new.count, old.count)
    smallestP = Statistics.mannWhitneySmallest(new.count, old.count)
    let deviations = new.map { $0 - newMedian } + old.map { $0 - oldMedian }
    spread = Self.reach(
      Statistics.robustDeviation(deviations) ?? 0, 1 / Double(new.count) + 1 / Double(old.count))
    learned = spread
  }

  /// The mean of the bootstrap interval and of that of the sides swapped, turned back: the resamples
  /// of one seed lie lopsided, and which side is called the candidate must decide nothing.
  private static func mirroredInterval(_ differences: [Double]) -> Interval? {
    guard let interval = Statistics.bootstrapMedian(of: differences),
      let swapped = Statistics.bootstrapMedian(of: differences.map { -$0 })
    else { return nil }
    return Interval(
      low: (interval.low - swapped.high) / 2, high: (interval.high - swapped.low) / 2)
  }

  /// 1.96 standard errors of a median: 1.2533 (the square root of π / 2) times the mean's.
  private static func reach(_ deviation: Double, _ inverseCounts: Double) -> Double {
    1.96 * (Double.pi / 2).squareRoot() * deviation * inverseCounts.squareRoot()
  }

  /// How many blocks a side the design needs for a family of so many rows to reach significance.
  static func blocksNeeded(family: Int, design: Design, alpha: Double) -> Int {
    var count = 1
    while Double(family) * smallest(count, design) >= alpha { count += 1 }
    return count
  }

  private static func smallest(_ count: Int, _ design: Design) -> Double {
    switch design {
    case .paired: Statistics.signFlipSmallest(count: count)
    case .unpaired: Statistics.mannWhitneySmallest(count, count)
    }
  }
}
