import BenchResults

/// Decides when a cell has enough blocks: when every timed phase is known precisely enough. Stopping at the first narrow
/// interval makes it contain the truth less often than 95 %, the less so the more blocks there are.
package struct PrecisionRule: Sendable {
  /// The largest half-width of the median's interval, relative to the median, that is precise enough.
  package var relativeHalfWidth: Double
  /// The median of an empty sample in nanoseconds. Medians below ten times that are not waited for.
  package var emptySample: Double?

  /// The fewest blocks to stop at.
  private static let fewest = 6

  package init(relativeHalfWidth: Double, emptySample: Double?) {
    (self.relativeHalfWidth, self.emptySample) = (relativeHalfWidth, emptySample)
  }

  /// The shortest median that is waited for, in nanoseconds, or nil if the empty sample is unknown.
  package var leastAwaited: Double? { emptySample.map { Machine.emptySamples * $0 } }

  /// Whether all of a workload's own series of wall time, without floors and the control, have an
  /// interval that is narrow enough.
  package func isSettled(_ series: [Series]) -> Bool {
    let judged = series.filter { $0.metric == .wall && $0.isJudged && $0.unsupported == nil }
    return !judged.isEmpty && judged.allSatisfy(isNarrow)
  }

  private func isNarrow(_ series: Series) -> Bool {
    guard let summary = Summary(series), summary.blocks >= Self.fewest else { return false }
    if let leastAwaited, summary.p50 < leastAwaited { return true }
    return summary.relativeWidth.map { $0 <= relativeHalfWidth } ?? false
  }
}
