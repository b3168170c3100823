import BenchResults
import Foundation

/// How far a cell's control, fixed work that no change can touch, moved between two runs.
struct Drift: Hashable, Sendable {
  /// The natural logarithm of now over then.
  var change: Double
  /// Whether it moved by more than 2 % and more than the control's own spread explains.
  var isReal: Bool

  /// The drift of every cell whose control was timed in both runs.
  static func byCell(
    _ candidate: [Series], _ baseline: [Series.Key: Series], design: Design
  ) -> [Cell: Drift] {
    candidate.filter { $0.isControl && $0.metric.id == Metric.wall.id }
      .reduce(into: [:]) { drifts, series in
        guard let new = series.blockMedians, let old = baseline[series.key]?.blockMedians,
          let moved = LogRatio(candidate: new, baseline: old, design: design)
        else { return }
        let limit = max(Judge.smallestEffect, moved.spread)
        drifts[series.cell] = Drift(
          change: moved.estimate, isReal: abs(moved.estimate) > limit)
      }
  }
}
