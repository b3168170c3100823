/// Two bounds of a figure, both included.
public struct Interval: Hashable, Sendable {
  /// The lower bound.
  public var low: Double
  /// The upper bound.
  public var high: Double

  /// Makes an interval of its bounds; nothing checks their order.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Whether a value lies between the bounds or on one.
  public func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// Whether every value of this interval lies in the other one.
  public func lies(within other: Interval) -> Bool { other.contains(low) && other.contains(high) }
}
