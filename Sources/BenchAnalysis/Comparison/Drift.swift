import BenchResults
import Foundation

/// How far a cell's control, fixed work that no change can touch, moved between two runs.
struct Drift: Hashable, Sendable {
  /// The natural logarithm of now over then.
  var change: Double
  /// Whether it moved by more than 2 % and more than the control's own spread would make it in one
  /// of 1,000 comparisons. Less is no proof, and raises the floor of its cell.
  var isReal: Bool
}

extension Drift {
  /// The quantiles of the normal distribution beyond which 1 in 1,000 lies, over those of 1 in 20,
  /// which a spread is. At 1 in 20, every twentieth look at a cell would be lost to its control.
  private static let rarity = 3.2905 / 1.96

  /// The drift that a control's evidence shows.
  init(_ moved: LogRatio) {
    self.init(
      change: moved.estimate,
      isReal: abs(moved.estimate) > max(Judge.smallestEffect, moved.spread * Self.rarity))
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
