/// What a backend has of one cost at one size.
public struct GrowthPoint: Hashable, Sendable {
  /// The menu's name.
  public let menu: String
  /// How large it is, in ``ScaleReport/noun``.
  public let size: Double
  /// The figure, or why there is none.
  public let entry: CostEntry

  /// The figure that growth is fitted to; nil where there is none, or none that can be told from what
  /// measuring costs or misses: counted as that, it would look as if nothing grew.
  public var fitted: CostFigure? {
    guard case .figure(let figure, _) = entry, figure.value > 0, figure.value >= figure.least
    else { return nil }
    return figure
  }

  /// Why it is left out, in words; nil where it is not.
  public var gap: String? {
    switch entry {
    case .absent(let lack): lack.reason
    case .figure(let figure, _):
      fitted != nil ? nil : figure.value > 0 ? "is below what can be told" : "is 0"
    }
  }
}
