import Foundation

extension Wording {
  /// Why a row is inconclusive, short enough for a table: `shows ≥ 1.04×`, `need 12 blocks`.
  ///
  /// The one place where doubts are worded, for tables, JUnit and annotations alike.
  public static func doubt(_ doubt: Doubt) -> String {
    switch doubt {
    case .wide(let smallest): "shows ≥ \(multiple(roundedUp(smallest)))"
    case .blocks(_, let need): "need \(plural(need, "block"))"
    case .notExact: "blocks differ"
    case .drift: "control moved"
    case .unconfirmed(_, let fresh, let need): unconfirmed(fresh: fresh, need: need)
    case .noRatio: "no ratio"
    }
  }

  /// The next ratio above that shows in as many digits as a multiple does: a smaller one than what
  /// the data could have shown must not be printed. A ratio that has no more digits stays.
  private static func roundedUp(_ ratio: Double) -> Double {
    let scale = ratio < 9.995 ? 100.0 : ratio < 99.95 ? 10 : 1
    return (ratio * scale - 1e-9).rounded(.up) / scale
  }

  private static func unconfirmed(fresh: Int, need: Int) -> String {
    fresh < need ? "\(count(Double(fresh))) of \(plural(need, "fresh pair"))" : "not confirmed"
  }
}
