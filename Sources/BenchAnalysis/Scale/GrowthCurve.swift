import Foundation

/// What one cost of one backend comes to along the sizes.
public struct GrowthCurve: Hashable, Sendable {
  /// The backend's id.
  public let backend: String
  /// Every size, the smallest first, whether or not there is a figure.
  public let points: [GrowthPoint]
  /// By which power of the size it grows, over all sizes; nil of fewer than three figures.
  public let whole: Growth?
  /// The same of the three largest sizes that have a figure: a fixed cost that flattens the small end
  /// does not count there.
  public let largeEnd: Growth?

  /// The fewest sizes whose growth says anything: two always lie on a line.
  public static let fewestSizes = 3
  /// An exponent up to this is no reason to speak of worse than linear.
  public static let leastNoticed = 1.05

  init(backend: String, points: [GrowthPoint]) {
    self.backend = backend
    self.points = points
    let fitted = points.compactMap { point in
      point.fitted.map { (size: point.size, figure: $0) }
    }
    whole = Growth(line: fitted)
    largeEnd = Growth(largeEnd: Array(fitted.suffix(Self.fewestSizes)))
  }

  /// What the large end says of growth worse than linear.
  public var verdict: Verdict {
    guard let growth = largeEnd, growth.exponent > Self.leastNoticed else { return .linear }
    switch growth.evidence {
    case .exact: return .worse
    case .tooFew: return .unproven
    case .scatter, .bootstrap: return (growth.interval?.low ?? 0) > 1 ? .worse : .unproven
    }
  }

  /// How a cost's growth compares with the size's own.
  public enum Verdict: Hashable, Sendable {
    /// No worse than linear for all that is known.
    case linear
    /// It looks worse, and the blocks do not prove it.
    case unproven
    /// Worse than linear.
    case worse
  }
}
