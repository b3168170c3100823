import Foundation

extension Statistics {
  /// The t between whose minus and plus Student's distribution has so much of its probability; nil
  /// where there are no degrees of freedom, or where the level is not between 0 and 1.
  ///
  /// By halving an interval of t: the share within ± t grows with t.
  static func studentT(_ level: Double, _ degreesOfFreedom: Int) -> Double? {
    guard degreesOfFreedom > 0, level > 0, level < 1 else { return nil }
    var (low, high) = (0.0, 1.0)
    while studentShare(within: high, degreesOfFreedom) < level {
      (low, high) = (high, high * 2)
      guard high.isFinite else { return nil }
    }
    while true {
      let middle = (low + high) / 2
      guard low < middle, middle < high else { return high }
      if studentShare(within: middle, degreesOfFreedom) < level {
        low = middle
      } else {
        high = middle
      }
    }
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
