import BenchResults
import Foundation

/// The rules that turn evidence into verdicts; all of them in one place.
enum Judge {
  /// The level of the tests, after all adjustment.
  static let alpha = 0.05
  /// The smallest log ratio worth a flag: 2 %.
  static let smallestEffect = log(1.02)
  /// The widest log ratio within which an interval may still be called unchanged: 5 %.
  static let widestUnchanged = log(1.05)

  /// The verdict on a metric of the hard tier: any change beyond the tolerance is one.
  ///
  /// A side whose own blocks differ by more than the tolerance says nothing of smaller changes.
  static func hard(_ new: Series, _ old: Series, tolerance: Tolerance?) -> RowComparison? {
    guard let p50 = Summary(new)?.p50, let baseline = Summary(old)?.p50 else { return nil }
    let allowance = (tolerance ?? .absolute(0)).allowance(from: baseline)
    let ratio = p50 / baseline
    var row = RowComparison(
      baselineP50: baseline, ratio: ratio.isFinite ? ratio : nil, difference: p50 - baseline)
    row.verdict =
      max(new.range, old.range) > allowance
      ? .inconclusive(.notExact)
      : abs(p50 - baseline) <= allowance ? .unchanged : worse(p50 > baseline, new.metric)
    return row
  }

  /// The verdict on a metric that differs from block to block.
  static func inexact(
    _ evidence: LogRatio, metric: Metric, adjustedP: Double, drift: Drift?, tolerance: Double = 0
  ) -> Verdict {
    if let drift, drift.isReal { return .inconclusive(.drift(exp(drift.change))) }
    let floor = floor(evidence, drift, tolerance: tolerance)
    if flags(evidence, adjustedP: adjustedP, floor) {
      return direction(evidence, metric)
    }
    if settles(evidence, floor) { return .unchanged }
    return .inconclusive(.wide(smallestChange: exp(smallestShown(evidence, floor.flagged))))
  }

  /// Whether test, interval and size agree that there is an effect.
  static func flags(_ evidence: LogRatio, adjustedP: Double, _ floor: EffectFloor) -> Bool {
    adjustedP < alpha && !evidence.interval.contains(0) && abs(evidence.estimate) > floor.flagged
  }

  /// Whether the interval holds no effect that matters.
  static func settles(_ evidence: LogRatio, _ floor: EffectFloor) -> Bool {
    evidence.interval.lies(within: Interval(low: -floor.unchanged, high: floor.unchanged))
  }

  /// Whether the estimate is for the better or the worse.
  static func direction(_ evidence: LogRatio, _ metric: Metric) -> Verdict {
    worse(evidence.estimate > 0, metric)
  }

  /// What an unpaired effect must exceed: the noise learned from the blocks, the control's movement.
  static func floor(_ evidence: LogRatio, _ drift: Drift?, tolerance: Double) -> EffectFloor {
    EffectFloor(noise: max(evidence.learned, abs(drift?.change ?? 0)), tolerance: tolerance)
  }

  private static func smallestShown(_ evidence: LogRatio, _ threshold: Double) -> Double {
    let (middle, interval) = (evidence.estimate, evidence.interval)
    return max(threshold, interval.high - middle, middle - interval.low)
  }

  private static func worse(_ isLarger: Bool, _ metric: Metric) -> Verdict {
    isLarger == (metric.better == .lower) ? .regressed : .improved
  }
}
