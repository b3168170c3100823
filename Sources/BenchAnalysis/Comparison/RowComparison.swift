import BenchResults
import Foundation

package struct RowComparison: Equatable, Sendable {
  /// The baseline's median of block medians, in the metric's unit.
  package var baselineP50: Double?
  /// Now over then: for exact metrics of the medians, or of the largest samples where they decided; for
  /// others exp of the estimated log ratio; nil where there is none. Of a flagged row of a gate, that of the
  /// confirming pairs alone.
  package var ratio: Double?
  /// Now less then, in the metric's unit; nil outside the hard tier, whose figures are exact.
  package var difference: Double?
  /// The largest samples, where they decided and not the medians.
  package var most: Figures?
  /// What to show beside a ratio of pairs: the baseline's median of the very turns that the ratio is of,
  /// and that times the ratio. A median of ratios is no ratio of medians, and a confirmation's pairs
  /// are not all pairs: the two sides' own medians could contradict the ratio that decides. Nil where
  /// no pairs decide.
  package var paired: Figures?
  /// The ratio's 95 % bootstrap interval; nil for exact metrics and of fewer than six blocks.
  package var interval: Interval?
  /// The test's p-value, adjusted by Holm for the rows and, of a screening, for its looks; nil
  /// where no test was made.
  package var adjustedP: Double?
  /// The ratio, above 1, that an effect had to exceed: the largest of 2 %, the learned noise, what the order
  /// of the code moves and the row's tolerance.
  package var threshold: Double?
  /// What it comes to; nil where the two may not be compared or the row is not judged.
  package var verdict: Verdict?

  /// A figure of either side, in the metric's unit.
  package struct Figures: Equatable, Sendable {
    package var baseline: Double
    package var now: Double
  }

  /// Takes the figures of some evidence and what an effect had to exceed; no interval where a median has none.
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
  /// No change larger than the row's floor could have hidden.
  case unchanged
  /// The data cannot tell, for the reason given.
  case inconclusive(Doubt)
  case new
  /// Measured in the baseline and not now; of a gate's time, on one side and refused on the other.
  case missing
  /// Faster than its floor allows, and the backend does not say why: an error of the measurement.
  case belowFloor

  /// The word that stands in CSV.
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
  /// The interval is too wide; the ratio is the smallest change, above 1, that this data could have
  /// shown: of a gate, by its own test, interval and threshold; of runs measured apart, by the
  /// interval, before the correction for many rows.
  case wide(smallestChange: Double)
  /// No outcome of so few blocks could have been significant; so many would do on each side.
  case blocks(have: Int, need: Int)
  /// An exact metric's blocks differ within one run.
  case notExact
  /// The control, which no change can touch, moved by this ratio between the runs.
  case drift(Double)
  /// A suspicion, of this ratio, that fresh pairs did not confirm: so many of those needed were
  /// measured.
  case unconfirmed(suspected: Double, fresh: Int, need: Int)
  /// A block median is 0 or below or its other half is absent, so that there is no ratio.
  case noRatio
}
