extension Statistics {
  /// Probabilities adjusted so that, of a whole family, a false alarm is as rare as of one test.
  ///
  /// Step-down: the i-th smallest of k is multiplied by k - i + 1, never less than the one before
  /// and at most 1. Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
  /// Scandinavian Journal of Statistics 6 (1979).
  public static func holm(_ probabilities: [Double]) -> [Double] {
    var adjusted = probabilities
    var floor = 0.0
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    for (place, index) in order.enumerated() {
      floor = max(floor, min(1, probabilities[index] * Double(order.count - place)))
      adjusted[index] = floor
    }
    return adjusted
  }

  /// Which tests of a family could reach significance at all, by the smallest probability that each
  /// can give: the others, decided by sample sizes alone, may leave the family.
  ///
  /// Source: Tarone, "A Modified Bonferroni Method for Discrete Data", Biometrics 46 (1990).
  public static func testable(smallest: [Double], alpha: Double = 0.05) -> [Bool] {
    var size = 1
    while smallest.count(where: { $0 * Double(size) < alpha }) > size { size += 1 }
    return smallest.map { $0 * Double(size) < alpha }
  }
}
