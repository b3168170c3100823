import BenchResults
import Foundation

/// The rules that turn evidence into verdicts; all of them in one place.
enum Judge {
  /// The level of the tests, after Holm's adjustment.
  static let alpha = 0.05
  /// The smallest log ratio worth a flag: 2 %.
  static let smallestEffect = log(1.02)
  /// The widest log ratio within which an interval may still be called unchanged: 5 %. Noise may
  /// raise what it takes to be flagged without limit, never what passes for no change.
  static let widestUnchanged = log(1.05)

  /// The verdict on an exact metric: any change at all is one.
  static func exact(_ new: Series, _ old: Series) -> RowComparison? {
    guard let p50 = Summary(new)?.p50, let baseline = Summary(old)?.p50 else { return nil }
    var row = RowComparison(
      baselineP50: baseline, ratio: baseline == 0 ? nil : p50 / baseline)
    row.verdict =
      new.disagrees || old.disagrees
      ? .inconclusive(.notExact)
      : p50 == baseline ? .unchanged : worse(p50 > baseline, new.metric)
    return row
  }

  /// The verdict on a metric that differs from block to block.
  static func inexact(
    _ evidence: LogRatio, metric: Metric, adjustedP: Double, drift: Drift?
  ) -> Verdict {
    if let drift, drift.isReal { return .inconclusive(.drift(exp(drift.change))) }
    let threshold = threshold(evidence, drift)
    let significant = adjustedP < alpha && !evidence.interval.contains(0)
    if significant, abs(evidence.estimate) > threshold {
      return worse(evidence.estimate > 0, metric)
    }
    let margin = min(threshold, widestUnchanged)
    if evidence.interval.lies(within: Interval(low: -margin, high: margin)) { return .unchanged }
    return .inconclusive(.wide(smallestChange: exp(smallestShown(evidence, threshold))))
  }

  /// What an effect must exceed: 2 %, the noise learned from the blocks, the control's movement.
  static func threshold(_ evidence: LogRatio, _ drift: Drift?) -> Double {
    max(smallestEffect, evidence.learned, abs(drift?.change ?? 0))
  }

  private static func smallestShown(_ evidence: LogRatio, _ threshold: Double) -> Double {
    let (middle, interval) = (evidence.estimate, evidence.interval)
    return max(threshold, interval.high - middle, middle - interval.low)
  }

  private static func worse(_ isLarger: Bool, _ metric: Metric) -> Verdict {
    isLarger == (metric.better == .lower) ? .regressed : .improved
  }
}
