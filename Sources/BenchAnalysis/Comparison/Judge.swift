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
    _ evidence: LogRatio, metric: Metric, adjustedP: Double, drift: Drift?, _ floor: EffectFloor
  ) -> Verdict {
    if let doubt = drift?.doubt { return .inconclusive(doubt) }
    if flags(evidence, adjustedP: adjustedP, floor) { return direction(evidence, metric) }
    if settles(evidence, floor) { return .unchanged }
    let (middle, interval) = (evidence.estimate, evidence.interval)
    let shown = max(floor.flagged, interval.high - middle, middle - interval.low)
    return .inconclusive(.wide(smallestChange: exp(shown)))
  }

  /// Whether test, interval and size agree that there is an effect.
  static func flags(_ evidence: LogRatio, adjustedP: Double, _ floor: EffectFloor) -> Bool {
    adjustedP < alpha && !evidence.interval.contains(0) && abs(evidence.estimate) > floor.flagged
  }

  /// Whether every effect in the interval is too small to matter.
  static func settles(_ evidence: LogRatio, _ floor: EffectFloor) -> Bool {
    evidence.interval.lies(within: Interval(low: -floor.unchanged, high: floor.unchanged))
  }

  static func direction(_ evidence: LogRatio, _ metric: Metric) -> Verdict {
    worse(evidence.estimate > 0, metric)
  }

  private static func worse(_ isLarger: Bool, _ metric: Metric) -> Verdict {
    isLarger == (metric.better == .lower) ? .regressed : .improved
  }
}

/// The limits for an effect on a row, as natural logarithms: what it must exceed to be flagged, and
/// within what it counts as unchanged.
struct EffectFloor: Sendable {
  /// The movement that measuring itself may cause, learned from blocks or from controls.
  var noise: Double
  /// The movement of the control of the row's own cell.
  var drift = 0.0
  /// Whether the control moved for certain: an effect of that size is then not the change's own.
  var hasControlMoved = false
  /// The movement that the user tolerates.
  var tolerance = 0.0
  /// The movement that the order of a program's code alone may cause.
  var layout = 0.0

  /// The limit that an effect must exceed: the largest of 2 %, noise, layout, tolerance and drift.
  /// If the control moved for certain, its drift is added to the others instead.
  var flagged: Double {
    let still = max(Judge.smallestEffect, noise, layout, tolerance)
    return hasControlMoved ? still + drift : max(still, drift)
  }

  /// The limit for an interval that counts as unchanged: 2 %, or the user's tolerance. Possible
  /// movements of the machine, the control or the layout cast doubt on a change, but do not prove
  /// that there is none.
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

  /// The approximate time to get two or three lines of code or data from memory, in nanoseconds.
  private static let linesFromMemory = 250.0
}

/// The evidence on ln(candidate / baseline), with one figure per block.
///
/// For paired blocks it is the trimmed mean of their differences. For unpaired blocks it is the difference of the
/// medians of the logs of block medians. In logs, twice as slow and twice as fast are equally far from no change.
struct LogRatio: Sendable {
  var estimate: Double
  /// The estimate's 95 % percentile bootstrap interval.
  var interval: Interval
  /// The test's two-sided p-value: sign flips of pairs, Mann–Whitney for unpaired blocks.
  var p: Double
  /// The smallest p-value that this number of blocks can give.
  var smallestP: Double
  /// The number of blocks on the side that has fewer.
  var blocks: Int
  /// The size that 1 in 1,000 comparisons of equal code exceeds, by the spread of blocks alone.
  var driftLimit: Double
  /// The noise that a row learns from its blocks, which 1 in 20 comparisons of equal code exceeds
  /// in runs measured apart. It is 0 for pairs: the machine's slow stretches cancel out in them,
  /// and their interval contains the rest.
  var noise: Double
}

extension LogRatio {
  /// Creates the evidence of pairs from their log differences, or nil if there are none.
  init?(differences: [Double]) {
    guard let estimate = Statistics.trimmedMean(differences),
      let interval = Self.mirroredInterval(differences),
      let p = Statistics.signFlip(differences)
    else { return nil }
    (self.estimate, self.interval, self.p) = (estimate, interval, p)
    blocks = differences.count
    smallestP = Statistics.signFlipSmallest(count: blocks)
    // Only the middle half of the pairs, six of 12, says how precise its mean is.
    let freedom = Statistics.untrimmed(blocks).count - 1
    driftLimit =
      (Statistics.trimmedMeanError(differences) ?? 0) * (Statistics.studentT(0.999, freedom) ?? 0)
    noise = 0
  }

  /// Creates the evidence of two runs measured apart from their block medians, or nil if a side has
  /// none or one is not above 0.
  init?(candidate: [Double], baseline: [Double]) {
    guard (candidate + baseline).allSatisfy({ $0 > 0 }) else { return nil }
    let (new, old) = (candidate.map { log($0) }, baseline.map { log($0) })
    guard let newMedian = Statistics.median(new), let oldMedian = Statistics.median(old),
      let interval = Statistics.bootstrapMedianDifference(new, minus: old),
      let p = Statistics.mannWhitney(new, old)?.p
    else { return nil }
    (estimate, self.interval, self.p) = (newMedian - oldMedian, interval, p)
    blocks = min(new.count, old.count)
    smallestP = Statistics.mannWhitneySmallest(new.count, old.count)
    let deviations = new.map { $0 - newMedian } + old.map { $0 - oldMedian }
    let inverseCounts = 1 / Double(new.count) + 1 / Double(old.count)
    // The standard error of a median: 1.2533 (the square root of π / 2) times the mean's.
    let error =
      (Double.pi / 2).squareRoot() * (Statistics.robustDeviation(deviations) ?? 0)
      * inverseCounts.squareRoot()
    (driftLimit, noise) = (3.2905 * error, 1.96 * error)
  }

  /// Averages the bootstrap interval and that of the swapped sides, mirrored. Resamples of one seed
  /// are lopsided, and the result must not depend on which side is called the candidate.
  private static func mirroredInterval(_ differences: [Double]) -> Interval? {
    guard let interval = Statistics.bootstrapTrimmedMean(of: differences),
      let swapped = Statistics.bootstrapTrimmedMean(of: differences.map { -$0 })
    else { return nil }
    return Interval(
      low: (interval.low - swapped.high) / 2, high: (interval.high - swapped.low) / 2)
  }

  /// Returns the fewest blocks or pairs per side that can be significant after multiplying by `tests`.
  static func blocksNeeded(tests: Double, isPaired: Bool) -> Int {
    var count = 1
    func smallest() -> Double {
      isPaired
        ? Statistics.signFlipSmallest(count: count) : Statistics.mannWhitneySmallest(count, count)
    }
    while tests * smallest() >= Judge.alpha { count += 1 }
    return count
  }
}

/// The movement of a cell's control, fixed work that no change can touch, between two runs.
struct Drift: Sendable {
  /// The natural logarithm of candidate / baseline.
  var change: Double
  /// Whether the movement exceeds 2 % and what the control's own spread causes in one of 1,000
  /// comparisons. A smaller one proves nothing, but raises the floor of its cell.
  var isReal: Bool
}

extension Drift {
  /// The reason to decide nothing, or nil unless the drift is real.
  var doubt: Doubt? { isReal ? .drift(exp(change)) : nil }

  /// Derives the drift from a control's evidence. At 1 in 20, controls would cost a twentieth of analyses.
  init(_ moved: LogRatio) {
    self.init(
      change: moved.estimate,
      isReal: abs(moved.estimate) > max(Judge.smallestEffect, moved.driftLimit))
  }

  /// Returns the drift of every cell whose control was timed in both of two runs measured apart.
  static func byCell(_ candidate: [Series], _ baseline: [Series.Key: Series]) -> [Cell: Drift] {
    candidate.filter(\.isTimedControl).reduce(into: [:]) { drifts, series in
      guard let new = series.blockMedians, let old = baseline[series.key]?.blockMedians,
        let moved = LogRatio(candidate: new, baseline: old)
      else { return }
      drifts[series.cell] = Drift(moved)
    }
  }
}
