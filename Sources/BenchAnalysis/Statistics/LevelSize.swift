import Foundation

extension Statistics {
  /// The size at which two costs are level: where a straight line between two sizes, of the logarithm
  /// of the costs' ratio over the logarithm of the size, is 0.
  ///
  /// Nil where that distance does not fall from one size to the other, or the first size is 0.
  static func level(
    _ left: (size: Double, distance: Double), _ right: (size: Double, distance: Double)
  ) -> Double? {
    guard left.distance > right.distance, left.size > 0 else { return nil }
    let share = left.distance / (left.distance - right.distance)
    return exp(log(left.size) + share * (log(right.size) - log(left.size)))
  }
}
