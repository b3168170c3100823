import BenchResults
import Foundation

/// The two halves of one timed series of a gate.
struct PairedHalves {
  let candidate: Series
  let baseline: Series

  /// Nil where a side has no values, or one that is no finite number.
  init?(_ candidate: Series, _ baseline: Series?) {
    guard let baseline, candidate.blockMedians != nil, baseline.blockMedians != nil else {
      return nil
    }
    (self.candidate, self.baseline) = (candidate, baseline)
  }

  /// How many turns have both halves.
  var turns: Int { min(candidate.blocks.count, baseline.blocks.count) }

  /// ln(candidate / baseline) of every turn; nil where a half is empty or not above 0.
  var differences: [Double?] {
    zip(candidate.blocks, baseline.blocks).map { new, old in
      guard let new = Statistics.median(new), let old = Statistics.median(old), new > 0, old > 0
      else { return nil }
      return log(new) - log(old)
    }
  }

  /// Whether neither side's first turns can be told from an empty sample. The first look decides it
  /// for good, so that the family of tests does not change from look to look.
  func isTiny(_ first: Int, _ machines: (candidate: Machine, baseline: Machine)) -> Bool {
    isBelow(machines.candidate.leastTellable(candidate.metric), candidate, first)
      && isBelow(machines.baseline.leastTellable(baseline.metric), baseline, first)
  }

  /// The baseline's median over its first turns.
  func baselineMedian(_ first: Int) -> Double? {
    Statistics.median(baseline.blocks.prefix(first).compactMap(Statistics.median))
  }

  private func isBelow(_ least: Double?, _ series: Series, _ first: Int) -> Bool {
    guard let least,
      let median = Statistics.median(series.blocks.prefix(first).compactMap(Statistics.median))
    else { return false }
    return median < least
  }
}
