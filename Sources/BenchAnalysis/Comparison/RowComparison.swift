import BenchResults
import Foundation

package struct RowComparison: Equatable, Sendable {
  /// The baseline's median of block medians, in the metric's unit.
  package var baselineP50: Double?
  /// Candidate / baseline, or nil if there is none. It is the ratio of the medians for hard metrics,
  /// or of the largest samples if they decided. For others it is exp of the estimated log ratio. In
  /// a flagged row of a gate it rests on the confirming pairs alone.
  package var ratio: Double?
  /// Candidate minus baseline, in the metric's unit, or nil unless the metric is hard.
  package var difference: Double?
  /// The largest samples, if they decided instead of the medians.
  package var most: Figures?
  /// The figures to show with a ratio of pairs: the baseline's median of these pairs, and that
  /// times the ratio. The sides' own medians could contradict the ratio: a median of ratios is not
  /// a ratio of medians, and a confirmation's pairs are not all pairs. Nil unless pairs decide.
  package var paired: Figures?
  /// The ratio's 95 % bootstrap interval, or nil for hard metrics and for fewer than six blocks.
  package var interval: Interval?
  /// The test's p-value, adjusted by Holm's method for the rows and, in a screening, for its
  /// analyses, or nil without a test.
  package var adjustedP: Double?
  /// The ratio above 1 that an effect had to exceed, by ``EffectFloor/flagged``: 2 % or more, by
  /// noise, drift, code layout and the row's tolerance.
  package var threshold: Double?
  /// The verdict, or nil if the runs may not be compared or the row is not judged.
  package var verdict: Verdict?

  /// A figure of both sides, in the metric's unit.
  package struct Figures: Equatable, Sendable {
    package var baseline: Double
    package var now: Double
  }

  /// Sets the figures of some evidence, without an interval if a median has none for so few blocks.
  mutating func show(_ evidence: LogRatio, _ floor: EffectFloor) {
    ratio = exp(evidence.estimate)
    interval =
      evidence.blocks < Statistics.fewestForMedianInterval ? nil : evidence.interval.map(exp)
    threshold = exp(floor.flagged)
  }
}

package enum Verdict: Hashable, Sendable {
  case regressed
  case improved
  /// A change larger than the row's limit would have shown.
  case unchanged
  /// The data cannot decide, for the given reason.
  case inconclusive(Doubt)
  case new
  /// Measured in the baseline but not now; in a gate, also a time that only one side can measure.
  case missing
  /// Faster than its floor allows without an explanation by the backend: a measurement error.
  case belowFloor

  /// The verdict's word in tables and files.
  package var id: String {
    switch self {
    case .regressed: "regressed"
    case .improved: "improved"
    case .unchanged: "unchanged"
    case .inconclusive: "inconclusive"
    case .new: "new"
    case .missing: "missing"
    case .belowFloor: "below-floor"
    }
  }

  package var isInconclusive: Bool { if case .inconclusive = self { true } else { false } }
}

package enum Doubt: Hashable, Sendable {
  /// The interval is too wide. The smallest change is the ratio above 1 that this data could have
  /// shown: in a gate by its own test, interval and threshold, in runs measured apart by the
  /// interval, before the correction for many rows.
  case wide(smallestChange: Double)
  /// So few blocks could not have been significant; `need` on each side could.
  case blocks(have: Int, need: Int)
  /// A hard metric's blocks differ within one run by more than the tolerance.
  case notExact
  /// The control, which no change can touch, moved by this ratio between the runs.
  case drift(Double)
  /// Fresh pairs did not confirm a suspicion of this ratio; `fresh` of the `need` pairs exist.
  case unconfirmed(suspected: Double, fresh: Int, need: Int)
  /// There is no ratio: a block median is not above 0, or its other half is missing.
  case noRatio
}
