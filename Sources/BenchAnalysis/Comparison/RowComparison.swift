import BenchResults
import Foundation

package struct RowComparison: Equatable, Sendable {
  /// The baseline's median of block medians, in the metric's unit.
  package var baselineP50: Double?
  /// Candidate / baseline, or nil if there is none. It is the ratio of the medians for hard metrics,
  /// or of the largest samples if they decided. For others it is exp of the estimated log ratio.
  package var ratio: Double?
  /// Candidate minus baseline, in the metric's unit, or nil unless the metric is hard.
  package var difference: Double?
  /// The largest samples, if they decided instead of the medians.
  package var most: Figures?
  /// The figures to show with a ratio of pairs: the baseline's median of these pairs, and that
  /// times the ratio. The sides' own medians could contradict the ratio, since a median of ratios is not
  /// a ratio of medians. Nil unless pairs decide.
  package var paired: Figures?
  /// How many pairs the ratio comes from, or nil unless pairs decide.
  package var pairs: Int?
  /// The ratio's 95 % interval, or nil for hard metrics and for too few blocks. If successive pairs are more alike than
  /// chance explains, it spans the middle 80 % of the pairs instead.
  package var interval: Interval?
  /// The test's p-value, adjusted by Holm's method for all judged rows, or nil without a test.
  package var adjustedP: Double?
  /// The ratio above 1 that an effect had to exceed, by ``EffectFloor/flagged``.
  package var threshold: Double?
  /// The verdict, or nil if the runs may not be compared or the row is not judged.
  package var verdict: Verdict?

  /// A figure of both sides, in the metric's unit.
  package struct Figures: Equatable, Sendable {
    package var baseline: Double
    package var now: Double
  }

  mutating func show(_ evidence: LogRatio, _ floor: EffectFloor) {
    ratio = exp(evidence.estimate)
    interval = evidence.reach?.map(exp)
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
  /// Above a limit that the user set, whatever the baseline has.
  case overLimit

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
    case .overLimit: "over-limit"
    }
  }

  package var isInconclusive: Bool { if case .inconclusive = self { true } else { false } }
}

package enum Doubt: Hashable, Sendable {
  /// The interval is too wide: a change for the worse of up to this ratio above 1 may hide in it. It is
  /// below 1 if the data only leave open whether the row improved.
  case wide(upTo: Double)
  /// There are too few blocks for an interval.
  case blocks(have: Int, need: Int)
  /// A hard metric's blocks differ within one run by more than the tolerance.
  case notExact
  /// The control, which no change can touch, moved by this ratio between the runs.
  case drift(Double)
  /// There is no ratio: a block median is not above 0, or its other half is missing.
  case noRatio
}
