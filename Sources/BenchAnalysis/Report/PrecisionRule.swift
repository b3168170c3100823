import BenchResults

/// Decides when a cell has enough blocks: once the median of every timed phase is known well enough.
package struct PrecisionRule: Sendable {
  /// The half-width of the median's interval, relative to the median, that is narrow enough.
  package var relativeHalfWidth: Double
  /// The median of an empty sample in nanoseconds; what is below ten times as long is not waited for.
  package var emptySample: Double?

  package init(relativeHalfWidth: Double, emptySample: Double?) {
    (self.relativeHalfWidth, self.emptySample) = (relativeHalfWidth, emptySample)
  }

  /// The shortest median that is waited for, in nanoseconds; nil where the empty sample is unknown.
  package var leastAwaited: Double? { emptySample.map { Machine.emptySamples * $0 } }

  /// Whether all series of wall time that are a workload's own, not floors or the control, have an
  /// interval that is narrow enough.
  package func isSettled(_ series: [Series]) -> Bool {
    let judged = series.filter { $0.metric == .wall && $0.isJudged && $0.unsupported == nil }
    return !judged.isEmpty && judged.allSatisfy(isNarrow)
  }

  private func isNarrow(_ series: Series) -> Bool {
    guard let summary = Summary(series), summary.interval != nil else { return false }
    if let leastAwaited, summary.p50 < leastAwaited { return true }
    return summary.relativeWidth.map { $0 <= relativeHalfWidth } ?? false
  }
}
