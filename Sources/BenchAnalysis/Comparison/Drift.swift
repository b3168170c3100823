import BenchResults
import Foundation

/// How far a cell's control, fixed work that no change can touch, moved between two runs.
struct Drift: Hashable, Sendable {
  /// The natural logarithm of now over then.
  var change: Double
  /// Whether it moved by more than 2 % and more than the control's own spread explains.
  var isReal: Bool
}

extension Drift {
  /// The drift that a control's evidence shows.
  init(_ moved: LogRatio) {
    self.init(
      change: moved.estimate, isReal: abs(moved.estimate) > max(Judge.smallestEffect, moved.spread))
  }

  /// The drift of every cell whose control was timed in both of two runs measured apart.
  static func byCell(_ candidate: [Series], _ baseline: [Series.Key: Series]) -> [Cell: Drift] {
    candidate.filter(\.isTimedControl).reduce(into: [:]) { drifts, series in
      guard let new = series.blockMedians, let old = baseline[series.key]?.blockMedians,
        let moved = LogRatio(candidate: new, baseline: old, design: .unpaired)
      else { return }
      drifts[series.cell] = Drift(moved)
    }
  }
}
