extension Wording {
  /// Why a row is inconclusive, in a few words that fit a table's column: `shows ≥ 1.09×`.
  ///
  /// The one place where doubts are worded, for tables, JUnit and annotations alike.
  public static func doubt(_ doubt: Doubt) -> String {
    switch doubt {
    case .wide(let smallest): "shows ≥ \(multiple(smallest))"
    case .blocks(_, let need): "need \(plural(need, "block"))"
    case .notExact: "blocks differ"
    case .drift: "control moved"
    case .noRatio: "no ratio"
    }
  }
}
