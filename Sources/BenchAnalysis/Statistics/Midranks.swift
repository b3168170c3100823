extension Statistics {
  /// Twice the rank of every value, ties sharing the mean of their ranks: whole numbers, so that
  /// sums of them compare exactly.
  ///
  /// Source of midranks: Lehmann, "Nonparametrics" (1975), section 1.4.
  public static func doubledMidranks(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = Array(repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = start + end + 1 }
      start = end
    }
    return ranks
  }
}
