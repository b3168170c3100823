import Basics
import BenchResults
import Foundation

/// Ways to say from pairs of blocks by how much a time changed.
package enum Estimator: String, CaseIterable, Sendable {
  /// The median of the pairs' ratios of block medians: what a gate went by before it looked at turns.
  case medians = "median of block medians"
  /// The trimmed mean of the pairs' ratios of block medians.
  case trimmedMedians = "trimmed mean of block medians"
  /// The trimmed mean of the pairs' trimmed means over turns: what a gate goes by.
  case turns = "trimmed mean of turns, by block"
  /// The trimmed mean of all turns of all pairs.
  case pooledTurns = "trimmed mean of all turns"
  /// What a gate goes by, had its blocks ended after half of their turns.
  case halfTurns = "the third, of half as long blocks"

  /// The estimate of some pairs, each with its turns' log ratios and that of its medians; nil of none.
  fileprivate func estimate(_ pairs: [Pair]) -> Double? {
    switch self {
    case .medians: Statistics.median(pairs.map(\.medians))
    case .trimmedMedians: Statistics.trimmedMean(pairs.map(\.medians))
    case .turns: Statistics.trimmedMean(pairs.map(\.middle))
    case .pooledTurns: Statistics.trimmedMean(pairs.flatMap(\.turns))
    case .halfTurns: Statistics.trimmedMean(pairs.map(\.firstHalf))
    }
  }
}

/// How well each estimator knows a row's change from the same recorded pairs.
package struct EstimatorTrial: Sendable {
  /// The row.
  package let key: Series.Key
  /// How many pairs there are.
  package let pairs: Int
  /// The standard error of every estimator, of a logarithm: from resamples of whole pairs, which share
  /// what differs between processes.
  package let errors: [Estimator: Double]

  /// How many pairs the gate's estimator needs for the precision that another has with one; nil where an
  /// error is 0.
  package func pairsNeeded(beside other: Estimator) -> Double? {
    guard let own = errors[.turns], let others = errors[other], own > 0, others > 0 else {
      return nil
    }
    return (own / others) * (own / others)
  }

  /// Tries them on every judged row of wall time that has a ratio in each of at least two pairs.
  package static func all(candidate: RunRecord, baseline: RunRecord) -> [EstimatorTrial] {
    let others = baseline.cells.byKey
    return candidate.cells.compactMap { series in
      guard series.metric.id == Metric.wall.id, series.isJudged, let other = others[series.key],
        !(candidate.machine.isTiny(Summary(series)?.p50, series)
          && baseline.machine.isTiny(Summary(other)?.p50, other))
      else { return nil }
      return EstimatorTrial(series, other)
    }
  }

  init?(_ candidate: Series, _ baseline: Series) {
    let found = zip(candidate.blocks, baseline.blocks).map { Pair($0, $1) }
    let pairs = found.compactMap(\.self)
    guard pairs.count > 1, pairs.count == found.count else { return nil }
    key = candidate.key
    self.pairs = pairs.count
    let drawn = Statistics.resampled { generator in
      let picked = pairs.map { _ in pairs[generator.below(pairs.count)] }
      return Estimator.allCases.map { $0.estimate(picked) ?? 0 }
    }
    errors = Dictionary(
      uniqueKeysWithValues: Estimator.allCases.enumerated().map { place, estimator in
        (estimator, Statistics.standardDeviation(drawn.map { $0[place] }) ?? 0)
      })
  }
}

private struct Pair {
  /// The log ratio of every turn.
  let turns: [Double]
  /// Their trimmed mean.
  let middle: Double
  /// That of the first half of them.
  let firstHalf: Double
  /// The log ratio of the medians.
  let medians: Double

  init?(_ candidate: [Double], _ baseline: [Double]) {
    guard let turns = PairedRow.turns(candidate, baseline),
      let middle = Statistics.trimmedMean(turns),
      let firstHalf = Statistics.trimmedMean(Array(turns.prefix((turns.count + 1) / 2))),
      let new = Statistics.median(candidate), let old = Statistics.median(baseline)
    else { return nil }
    (self.turns, self.middle, self.firstHalf) = (turns, middle, firstHalf)
    medians = log(new) - log(old)
  }
}
