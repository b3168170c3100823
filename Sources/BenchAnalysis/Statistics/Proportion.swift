extension Statistics {
  /// The two-sided probability of a split at least as uneven, were every trial a fair coin: the
  /// exact sign test. Nil of no trials and of successes that are no part of them.
  ///
  /// Source: Arbuthnott (1710); Conover, "Practical Nonparametric Statistics", 3rd ed. (1999),
  /// section 3.4.
  public static func binomialTwoSided(successes: Int, of trials: Int) -> Double? {
    guard trials > 0, (0...trials).contains(successes) else { return nil }
    let fewer = min(successes, trials - successes)
    return min(1, 2 * Binomial(trials: trials, chance: 0.5).atMost(fewer))
  }

  /// The exact interval of a chance of which so many trials succeeded; its ends are 0 or 1 where
  /// none or all did. Nil of no trials, of successes that are no part of them, and of a level that
  /// is not between 0 and 1.
  ///
  /// It covers the chance with at least the level's probability, each end missing it at most half
  /// as often as both. Source: Clopper & Pearson, Biometrika 26 (1934).
  public static func clopperPearson(
    successes: Int, of trials: Int, level: Double = 0.95
  ) -> Interval? {
    guard trials > 0, (0...trials).contains(successes), level > 0, level < 1 else { return nil }
    let tail = (1 - level) / 2
    let share = Double(successes) / Double(trials)
    let low = bisection(0, share) {
      Binomial(trials: trials, chance: $0).atLeast(successes) >= tail
    }
    let high = bisection(share, 1) {
      Binomial(trials: trials, chance: $0).atMost(successes) < tail
    }
    return Interval(low: successes == 0 ? 0 : low, high: successes == trials ? 1 : high)
  }

  /// Where between two bounds a condition begins to hold, to the last digit.
  private static func bisection(
    _ low: Double, _ high: Double, holds: (Double) -> Bool
  ) -> Double {
    var (low, high) = (low, high)
    for _ in 0..<200 {
      let middle = (low + high) / 2
      guard low < middle, middle < high else { break }
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}
