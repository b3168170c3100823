import Foundation

/// Two middles that positive values lie around, where they do: a machine that has two speeds, or work that
/// is done in one of two ways.
///
/// The values' logarithms are cut where the variance between the two parts is largest, and are two where
/// each part has a tenth of the values at least, the parts are further apart than Ashman's D of 4, and
/// their middles by a tenth. One normal or even distribution cut so has a D below 3.5. Sources: Otsu, IEEE
/// Trans. SMC 9 (1979); Ashman, Bird & Zepf, Astron. J. 108 (1994).
package struct TwoModes: Equatable, Sendable {
  /// The middle of the smaller values.
  package let lower: Double
  /// The middle of the larger ones.
  package let upper: Double
  /// The share of values around ``upper``, of 1.
  package let share: Double

  /// Upper over lower.
  package var ratio: Double { upper / lower }

  /// The fewest values in which two middles are looked for.
  static let fewest = 20
  private static let leastShare = 0.1
  private static let leastSeparation = 4.0
  private static let leastRatio = 1.1

  /// Nil where there is but one middle, or too few values to tell, or one is not above 0.
  package init?(_ values: [Double]) {
    guard values.count >= Self.fewest, values.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      return nil
    }
    let logs = values.map { log($0) }.sorted()
    let cut = Self.cut(logs)
    let (low, high) = (Array(logs[..<cut]), Array(logs[cut...]))
    let fewest = Int((Self.leastShare * Double(logs.count)).rounded(.up))
    guard min(low.count, high.count) >= max(fewest, 2), let below = Statistics.mean(low),
      let above = Statistics.mean(high), let spread = Statistics.standardDeviation(low),
      let other = Statistics.standardDeviation(high),
      let lower = Statistics.median(low).map({ exp($0) }),
      let upper = Statistics.median(high).map({ exp($0) })
    else { return nil }
    // Ashman's D above a limit, without a division by a spread that may be 0.
    let commonSpread = ((spread * spread + other * other) / 2).squareRoot()
    guard above - below > Self.leastSeparation * commonSpread, upper > lower * Self.leastRatio
    else { return nil }
    (self.lower, self.upper) = (lower, upper)
    share = Double(high.count) / Double(logs.count)
  }

  /// Where sorted values are cut: how many are below.
  private static func cut(_ values: [Double]) -> Int {
    let total = values.reduce(0, +)
    var (best, most, sum) = (1, -Double.infinity, 0.0)
    for below in 1..<values.count {
      sum += values[below - 1]
      let above = values.count - below
      let distance = (total - sum) / Double(above) - sum / Double(below)
      let between = Double(below) * Double(above) * distance * distance
      if between > most { (best, most) = (below, between) }
    }
    return best
  }
}
