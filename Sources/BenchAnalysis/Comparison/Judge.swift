import Basics
import BenchResults
import Foundation

/// The rules that turn evidence into verdicts.
enum Judge {
  /// The level of the tests, after all adjustment.
  static let alpha = 0.05
  /// The smallest log ratio that is flagged: 2 %.
  static let smallestEffect = log(1.02)

  /// Returns the verdict on a hard metric, in which any change beyond the tolerance counts. The blocks'
  /// medians decide or, if they are no worse, the maxima, since one write of ten may cost more. If a
  /// side's own blocks differ by more than the tolerance, smaller changes are inconclusive. So is a
  /// maximum above the baseline's that only some blocks reach. Rare values on both sides do not matter.
  static func hard(_ new: Series, _ old: Series, tolerance: Tolerance?) -> RowComparison? {
    guard let now = Summary(new), let then = Summary(old) else { return nil }
    let tolerance = tolerance ?? .absolute(0)
    var row = RowComparison(
      baselineP50: then.p50, ratio: (now.p50 / then.p50).finite, difference: now.p50 - then.p50)
    let medians = hard(new.blocks, old.blocks, new.metric, tolerance, Statistics.median)
    let maxima = hard(new.blocks, old.blocks, new.metric, tolerance) { $0.max() }
    row.verdict = medians
    if maxima == .regressed && medians != .regressed || maxima == .improved && medians == .unchanged
    {
      row.verdict = maxima
      (row.ratio, row.difference) = ((now.max / then.max).finite, now.max - then.max)
      row.most = RowComparison.Figures(baseline: then.max, now: now.max)
    } else if medians == .unchanged, maxima == .inconclusive(.notExact),
      worse(now.max > then.max, new.metric) == .regressed,
      abs(now.max - then.max) > tolerance.allowance(from: then.max)
    {
      row.verdict = maxima
    }
    return row
  }

  /// Returns the verdict on one figure of each block. It is decided if the ranges of both sides are
  /// further apart than the tolerance, or if the blocks of each side agree within it.
  private static func hard(
    _ new: [[Double]], _ old: [[Double]], _ metric: Metric, _ tolerance: Tolerance,
    _ figure: ([Double]) -> Double?
  ) -> Verdict? {
    let (new, old) = (new.compactMap(figure), old.compactMap(figure))
    guard let now = Statistics.median(new), let then = Statistics.median(old),
      let newest = Interval(of: new), let oldest = Interval(of: old)
    else { return nil }
    let allowance = tolerance.allowance(from: then)
    if newest.low - oldest.high > allowance || oldest.low - newest.high > allowance {
      return worse(now > then, metric)
    }
    if max(newest.width, oldest.width) > allowance { return .inconclusive(.notExact) }
    return abs(now - then) <= allowance ? .unchanged : worse(now > then, metric)
  }

  /// Returns the verdict on a metric that differs from block to block.
  static func inexact(
    _ evidence: LogRatio, metric: Metric, adjustedP: Double, _ floor: EffectFloor
  ) -> Verdict {
    if flags(evidence, adjustedP: adjustedP, floor) { return direction(evidence, metric) }
    return settles(evidence, floor) ? .unchanged : .inconclusive(doubt(evidence, metric))
  }

  /// Whether test, interval and size agree that there is an effect.
  static func flags(_ evidence: LogRatio, adjustedP: Double, _ floor: EffectFloor) -> Bool {
    let isSteady =
      evidence.middle.map { $0.low > floor.flagged || $0.high < -floor.flagged } ?? true
    return adjustedP < alpha && evidence.interval?.contains(0) == false && isSteady
      && abs(evidence.estimate) > floor.flagged
  }

  /// Whether every effect in the interval is too small to matter.
  static func settles(_ evidence: LogRatio, _ floor: EffectFloor) -> Bool {
    evidence.reach?.lies(within: Interval(low: -floor.unchanged, high: floor.unchanged)) ?? false
  }

  /// Returns why evidence that neither flags nor settles decides nothing.
  static func doubt(_ evidence: LogRatio, _ metric: Metric) -> Doubt {
    guard let reach = evidence.reach else {
      return .blocks(have: evidence.blocks, need: evidence.needed)
    }
    return .wide(upTo: exp(metric.better == .lower ? reach.high : -reach.low))
  }

  static func direction(_ evidence: LogRatio, _ metric: Metric) -> Verdict {
    worse(evidence.estimate > 0, metric)
  }

  private static func worse(_ isLarger: Bool, _ metric: Metric) -> Verdict {
    isLarger == (metric.better == .lower) ? .regressed : .improved
  }
}

/// The limits for an effect on a time, as natural logarithms: what it must exceed to be flagged, and
/// within what it counts as unchanged.
struct EffectFloor: Sendable {
  /// The movement that the user tolerates.
  var tolerance = 0.0
  /// The movement that the order of a program's code alone may cause.
  var layout = 0.0

  /// The limit that an effect must exceed: the largest of 2 %, layout and tolerance.
  var flagged: Double { max(Judge.smallestEffect, layout, tolerance) }

  /// The limit for an interval that counts as unchanged: 2 %, or the user's tolerance. The layout
  /// casts doubt on a change, but does not prove that there is none.
  var unchanged: Double { max(Judge.smallestEffect, tolerance) }

  /// Returns the possible effect of a linker's code order on a time, the mean of `repeated` repetitions, as
  /// a natural logarithm, or 0 if unknown. Code that is not where the caches have it costs some time once,
  /// however long the rest takes, so short times move most. Between builds of one source that differed in
  /// nothing else, times of a millisecond or more moved by less than 2 %. Times of about ten microseconds
  /// moved by 3 %, those of half a microsecond by up to 165 ns. The allowance grows with the fourth root of
  /// how much shorter than a millisecond the time is, up to 20 %. It includes two or three cache lines from
  /// memory, once per sample however often the sample repeats the work. It was fitted to other builds and
  /// gates than those by which `scripts/lab` judges it (Reports/gate-selftest.md).
  static func layout(of nanoseconds: Double?, repeated: Int = 1) -> Double {
    guard let nanoseconds, nanoseconds > 0 else { return 0 }
    let share = min(0.02 * max(pow(1e6 / nanoseconds, 0.25), 1), 0.2)
    return log(1 + share + min(linesFromMemory / Double(max(repeated, 1)) / nanoseconds, 1))
  }

  /// Returns how far the state of one machine may move a time between two runs of one program, as a natural
  /// logarithm; nil for a figure without a duration. The blocks of a run share that state, so their spread does not
  /// show it. Among ten runs within a quarter of an hour, saves and loads differed by up to 15 %, and times of 50 µs
  /// by up to 42 %.
  static func apart(of nanoseconds: Double?) -> Double {
    guard let nanoseconds, nanoseconds > 0 else { return log(1.15) }
    return log(1 + 0.15 * min(max(pow(1e6 / nanoseconds, 0.4), 1), 10))
  }

  /// The approximate time to get two or three lines of code or data from memory, in nanoseconds.
  private static let linesFromMemory = 250.0
}

/// The evidence on ln(candidate / baseline), with one figure per block. In logs, twice as slow and
/// twice as fast are equally far from no change.
struct LogRatio: Sendable {
  var estimate: Double
  /// The estimate's 95 % interval, or nil for fewer than ``needed`` blocks.
  var interval: Interval?
  var p: Double
  /// The number of blocks on the side that has fewer.
  var blocks: Int
  /// The fewest blocks that have an interval.
  var needed: Int
  /// The middle 80 % of the pairs, if successive ones are more alike than chance explains. No test of such pairs holds,
  /// so almost all of them must agree.
  var middle: Interval?

  /// The effects that the data leave open.
  var reach: Interval? { middle ?? interval }

  /// Creates the evidence of pairs from their log differences, by Wilcoxon's test. Nil if there are none.
  init?(differences: [Double], areAlike: Bool = false) {
    guard let test = SignedRank(differences) else { return nil }
    (estimate, interval, p) = (test.estimate, test.interval, test.p)
    (blocks, needed) = (differences.count, 6)
    guard areAlike, let low = Statistics.quantile(0.1, of: differences),
      let high = Statistics.quantile(0.9, of: differences)
    else { return }
    middle = Interval(low: low, high: high)
  }

  /// Creates the evidence of two runs measured apart from their block medians, by Welch's test. Nil if
  /// a side has none or one is not above 0.
  ///
  /// - Parameter apart: How far the machine's state alone may move the ratio, which widens the interval on both sides.
  init?(candidate: [Double], baseline: [Double], apart: Double = 0) {
    guard (candidate + baseline).allSatisfy({ $0 > 0 }) else { return nil }
    let (new, old) = (candidate.map { log($0) }, baseline.map { log($0) })
    guard let now = Statistics.median(new), let then = Statistics.median(old) else { return nil }
    let test = MeanSum([(1, new), (-1, old)])
    // The estimate is the ratio of the figures that a table shows.
    estimate = now - then
    interval = test?.interval.including(estimate).widened(by: apart)
    p = test?.p ?? 1
    (blocks, needed) = (min(new.count, old.count), MeanSum.fewest)
  }
}

/// The movement of a cell's control, fixed work that no change can touch, between two runs measured apart.
struct Drift: Sendable {
  /// The natural logarithm of candidate / baseline.
  var change: Double
  /// Whether the movement exceeds 2 %, and chance in 999 of 1,000 comparisons.
  var isReal: Bool

  /// Returns the drift of every cell whose control was timed in both runs.
  static func byCell(_ candidate: [Series], _ baseline: [Series.Key: Series]) -> [Cell: Drift] {
    candidate.filter(\.isTimedControl).reduce(into: [:]) { drifts, series in
      guard let new = series.blockMedians, let old = baseline[series.key]?.blockMedians,
        let moved = LogRatio(candidate: new, baseline: old)
      else { return }
      let isReal = moved.p < 0.001 && abs(moved.estimate) > Judge.smallestEffect
      drifts[series.cell] = Drift(change: moved.estimate, isReal: isReal)
    }
  }
}
