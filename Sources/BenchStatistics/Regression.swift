import Foundation

extension Statistics {
  /// Returns the slope of the line through points by ordinary least squares, and its 95 % interval
  /// by Student's t. The interval is wide if the points scatter or bend. Nil for fewer than two
  /// points and if all have one x; two points have no interval. Source: Draper & Smith, "Applied
  /// Regression Analysis", 3rd ed. (1998), section 1.4.
  package static func line(_ points: [(x: Double, y: Double)]) -> (
    slope: Double, interval: Interval?
  )? {
    guard points.count > 1, let weights = slopeWeights(points.map(\.x)),
      let x = mean(points.map(\.x)), let y = mean(points.map(\.y))
    else { return nil }
    let slope = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.y }
    let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    let residuals = points.map { $0.y - y - slope * ($0.x - x) }
    let freedom = points.count - 2
    let variance = residuals.reduce(0) { $0 + $1 * $1 } / Double(max(1, freedom))
    let reach = studentT(0.95, freedom).map { $0 * (variance / spread).squareRoot() }
    return (slope, reach.map { Interval(low: slope - $0, high: slope + $0) })
  }

  /// Returns the weight of every y in the slope of the line through these x, or nil without a slope.
  package static func slopeWeights(_ x: [Double]) -> [Double]? {
    guard let mean = mean(x) else { return nil }
    let spread = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return spread > 0 ? x.map { ($0 - mean) / spread } : nil
  }

  /// Returns the t for which Student's distribution has the probability `level` between -t and t.
  /// Nil without degrees of freedom, or if the level is not between 0 and 1.
  package static func studentT(_ level: Double, _ degreesOfFreedom: Int) -> Double? {
    guard degreesOfFreedom > 0, level > 0, level < 1 else { return nil }
    var (low, high) = (0.0, 1.0)
    while studentShare(within: high, degreesOfFreedom) < level {
      (low, high) = (high, high * 2)
      guard high.isFinite else { return nil }
    }
    return bisection(low, high) { studentShare(within: $0, degreesOfFreedom) >= level }
  }

  /// Returns the probability between -t and t in Student's distribution. Source: Abramowitz &
  /// Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 for odd and 26.7.4 for even
  /// degrees of freedom: finite sums of powers of cosines.
  static func studentShare(within t: Double, _ degreesOfFreedom: Int) -> Double {
    let angle = atan(t / Double(degreesOfFreedom).squareRoot())
    let isOdd = !degreesOfFreedom.isMultiple(of: 2)
    var (sum, term) = (0.0, isOdd ? cos(angle) : 1)
    for factor in stride(from: isOdd ? 3 : 2, through: degreesOfFreedom, by: 2) {
      sum += term
      term *= cos(angle) * cos(angle) * Double(factor - 1) / Double(factor)
    }
    return isOdd ? (angle + sin(angle) * sum) * 2 / .pi : sin(angle) * sum
  }

  /// Returns the last two neighbours of ascending sizes between which the distance falls to 0 or
  /// below, or nil if it never does. `about` is the approximate size.
  package static func crossing(
    _ points: [(size: Double, distance: Double)]
  ) -> (below: Double, above: Double, about: Double?)? {
    Array(zip(points, points.dropFirst())).last { $0.distance > 0 && $1.distance <= 0 }
      .map { left, right -> (below: Double, above: Double, about: Double?) in
        let share = left.distance / (left.distance - right.distance)
        let about = exp(log(left.size) + share * (log(right.size) - log(left.size)))
        return (left.size, right.size, left.size > 0 ? about : nil)
      }
  }
}
