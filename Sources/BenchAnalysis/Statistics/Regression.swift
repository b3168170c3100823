import Foundation

extension Statistics {
  /// A straight line through points by ordinary least squares.
  struct Line {
    /// How much y rises for every 1 of x.
    let slope: Double
    /// The slope's standard error, from the scatter about the line; nil of two points.
    let error: Double?
    /// Points less the two figures that are fitted.
    let degreesOfFreedom: Int

    /// The slope's interval by Student's t; nil of two points.
    ///
    /// It says how far the points are from one line, whether they scatter or bend.
    func interval(level: Double = 0.95) -> Interval? {
      guard let error, let t = studentT(level, degreesOfFreedom) else { return nil }
      return Interval(low: slope - t * error, high: slope + t * error)
    }
  }

  /// The line through points; nil of fewer than two, or where all have one x.
  ///
  /// Source: Draper & Smith, "Applied Regression Analysis", 3rd ed. (1998), section 1.4.
  static func line(_ points: [(x: Double, y: Double)]) -> Line? {
    guard points.count > 1, let weights = slopeWeights(points.map(\.x)),
      let x = mean(points.map(\.x)), let y = mean(points.map(\.y))
    else { return nil }
    let slope = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.y }
    let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    let residuals = points.map { $0.y - y - slope * ($0.x - x) }
    let freedom = points.count - 2
    let variance = residuals.reduce(0) { $0 + $1 * $1 } / Double(max(1, freedom))
    return Line(
      slope: slope, error: freedom > 0 ? (variance / spread).squareRoot() : nil,
      degreesOfFreedom: freedom)
  }

  /// What every y counts in the slope of the line through points at these x; nil where there is none.
  static func slopeWeights(_ x: [Double]) -> [Double]? {
    guard let mean = mean(x) else { return nil }
    let spread = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return spread > 0 ? x.map { ($0 - mean) / spread } : nil
  }
}

extension Statistics {
  /// The t between whose minus and plus Student's distribution has so much of its probability; nil
  /// where there are no degrees of freedom, or where the level is not between 0 and 1.
  ///
  /// The share within ± t grows with t.
  static func studentT(_ level: Double, _ degreesOfFreedom: Int) -> Double? {
    guard degreesOfFreedom > 0, level > 0, level < 1 else { return nil }
    var (low, high) = (0.0, 1.0)
    while studentShare(within: high, degreesOfFreedom) < level {
      (low, high) = (high, high * 2)
      guard high.isFinite else { return nil }
    }
    return bisection(low, high) { studentShare(within: $0, degreesOfFreedom) >= level }
  }

  /// The probability of a t between minus and plus this one.
  ///
  /// Source: Abramowitz & Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 for odd and
  /// 26.7.4 for even degrees of freedom: finite sums of powers of cosines.
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
}

extension Statistics {
  /// The last two neighbours of ascending sizes between which the distance falls to 0 or below, and about
  /// where; nil where it does not.
  static func crossing(
    _ points: [(size: Double, distance: Double)]
  ) -> (below: Double, above: Double, about: Double?)? {
    Array(zip(points, points.dropFirst())).last { $0.distance > 0 && $1.distance <= 0 }
      .map { (below: $0.size, above: $1.size, about: level($0, $1)) }
  }

  /// The size at which two costs are level: where a straight line between two sizes, of the logarithm
  /// of the costs' ratio over the logarithm of the size, is 0.
  ///
  /// Nil where that distance does not fall from one size to the other, or the first size is 0.
  private static func level(
    _ left: (size: Double, distance: Double), _ right: (size: Double, distance: Double)
  ) -> Double? {
    guard left.distance > right.distance, left.size > 0 else { return nil }
    let share = left.distance / (left.distance - right.distance)
    return exp(log(left.size) + share * (log(right.size) - log(left.size)))
  }
}
