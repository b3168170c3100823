import Basics
import BenchResults
import Foundation

/// The rules that turn evidence into verdicts; all of them in one place.
enum Judge {
  /// The level of the tests, after all adjustment.
  static let alpha = 0.05
  /// The smallest log ratio worth a flag: 2 %.
  static let smallestEffect = log(1.02)

  /// The verdict on a metric of the hard tier: any change beyond the tolerance is one, of the blocks' medians or,
  /// where these are no worse, of their maxima: of ten writes one may cost more. A side whose own blocks differ by
  /// more than the tolerance says nothing of smaller changes. Nor does what is largest where it goes beyond all
  /// that the baseline had in some blocks alone; what is rare on both sides is no doubt of the rest.
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

  /// The verdict on one figure of each block: decided where the two sides' ranges are further apart than
  /// the tolerance, or where the blocks of each agree within it.
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

  /// The verdict on a metric that differs from block to block.
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

  /// Whether the interval holds no effect that matters.
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

/// What an effect on a row must exceed to be flagged, and within what it passes for no change; in
/// natural logarithms.
struct EffectFloor: Sendable {
  /// What the measuring itself may have moved: learned from blocks or from controls.
  var noise: Double
  /// How far the control of the row's own cell moved.
  var drift = 0.0
  /// Whether that was no chance: then as much of an effect is not the change's own.
  var isAdrift = false
  /// What somebody declared to be no matter.
  var tolerance = 0.0
  /// What the order of a program's code alone may move.
  var layout = 0.0

  /// What an effect must exceed: 2 %, the noise, what the order of the code moves, the tolerance; beyond a control
  /// that moved for certain as much again.
  var flagged: Double {
    let still = max(Judge.smallestEffect, noise, layout, tolerance)
    return isAdrift ? still + drift : max(still, drift)
  }

  /// Within what an interval may still be called unchanged: 2 %, or what somebody declared to be no matter. What the
  /// machine, the control or the order of the code may have moved is a doubt of a change, and no proof that
  /// there is none.
  var unchanged: Double { max(Judge.smallestEffect, tolerance) }

  /// What the order in which a linker puts a program's code together may move of a time of so many nanoseconds, the
  /// mean of so many repetitions, as a natural logarithm; 0 where unknown. A line of code that is not where the
  /// caches have it costs some time once, however long the rest takes, so that short times move most: between builds
  /// of one source that differed in nothing else those of a millisecond and more by less than 2 %, those of some ten
  /// microseconds by 3 %, those of half a microsecond by up to 165 ns. What is allowed for grows with the fourth
  /// root of what a time is shorter than a millisecond, to 20 % at most; beside it stand two or three lines that
  /// come from memory rather than a cache, once a sample however often it repeats the work. It was drawn by builds
  /// and gates other than those by which `scripts/lab` judges it (Reports/gate-selftest.md).
  static func layout(of nanoseconds: Double?, repeated: Int = 1) -> Double {
    guard let nanoseconds, nanoseconds > 0 else { return 0 }
    let share = min(0.02 * max(pow(1e6 / nanoseconds, 0.25), 1), 0.2)
    return log(1 + share + min(linesFromMemory / Double(max(repeated, 1)) / nanoseconds, 1))
  }

  /// About how long it takes to have two or three lines of code or data from memory, in nanoseconds.
  private static let linesFromMemory = 250.0
}

/// The evidence on the natural logarithm of candidate over baseline, a figure a block.
///
/// Paired blocks: the trimmed mean of their differences. Unpaired: the difference of the medians of the
/// logs of block medians. The log makes twice as slow and twice as fast equally far from the same.
struct LogRatio: Sendable {
  var estimate: Double
  /// Its 95 % percentile bootstrap interval.
  var interval: Interval
  /// The test's two-sided p-value: sign flips of pairs, Mann–Whitney of unpaired blocks.
  var p: Double
  /// The smallest p-value that so many blocks could have given.
  var smallestP: Double
  /// Blocks on the side that has fewer.
  var blocks: Int
  /// What 1 in 1,000 comparisons of equal code would exceed, by the spread of blocks alone.
  var rare: Double
  /// The noise that a row learns from its blocks: what 1 in 20 comparisons of equal code would exceed, of
  /// two runs measured apart; 0 of pairs, in which the machine's moods cancel and whose interval holds the
  /// rest.
  var learned: Double
}

extension LogRatio {
  /// The evidence of pairs by their differences of logarithms; nil of none.
  init?(differences: [Double]) {
    guard let estimate = Statistics.trimmedMean(differences),
      let interval = Self.mirroredInterval(differences),
      let p = Statistics.signFlip(differences)
    else { return nil }
    (self.estimate, self.interval, self.p) = (estimate, interval, p)
    blocks = differences.count
    smallestP = Statistics.signFlipSmallest(count: blocks)
    // The middle half alone says how far its mean is known: of 12 pairs six.
    let freedom = Statistics.untrimmed(blocks).count - 1
    rare =
      (Statistics.trimmedMeanError(differences) ?? 0) * (Statistics.studentT(0.999, freedom) ?? 0)
    learned = 0
  }

  /// The evidence of the block medians of two runs measured apart; nil where a side has none or one is
  /// not above 0.
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
    (rare, learned) = (3.2905 * error, 1.96 * error)
  }

  /// The mean of the bootstrap interval and of that of the sides swapped, turned back: the resamples
  /// of one seed lie lopsided, and which side is called the candidate must decide nothing.
  private static func mirroredInterval(_ differences: [Double]) -> Interval? {
    guard let interval = Statistics.bootstrapTrimmedMean(of: differences),
      let swapped = Statistics.bootstrapTrimmedMean(of: differences.map { -$0 })
    else { return nil }
    return Interval(
      low: (interval.low - swapped.high) / 2, high: (interval.high - swapped.low) / 2)
  }

  /// How many blocks, or pairs, a side it takes to reach significance where a p-value is multiplied by so much.
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

/// How far a cell's control, fixed work that no change can touch, moved between two runs.
struct Drift: Sendable {
  /// The natural logarithm of now over then.
  var change: Double
  /// Whether it moved by more than 2 % and more than the control's own spread would make it in one
  /// of 1,000 comparisons. Less is no proof, and raises the floor of its cell.
  var isReal: Bool
}

extension Drift {
  /// Why nothing is decided where it is real.
  var doubt: Doubt? { isReal ? .drift(exp(change)) : nil }

  /// The drift that a control's evidence shows. At 1 in 20, a twentieth of looks would be lost to controls.
  init(_ moved: LogRatio) {
    self.init(
      change: moved.estimate,
      isReal: abs(moved.estimate) > max(Judge.smallestEffect, moved.rare))
  }

  /// The drift of every cell whose control was timed in both of two runs measured apart.
  static func byCell(_ candidate: [Series], _ baseline: [Series.Key: Series]) -> [Cell: Drift] {
    candidate.filter(\.isTimedControl).reduce(into: [:]) { drifts, series in
      guard let new = series.blockMedians, let old = baseline[series.key]?.blockMedians,
        let moved = LogRatio(candidate: new, baseline: old)
      else { return }
      drifts[series.cell] = Drift(moved)
    }
  }
}
