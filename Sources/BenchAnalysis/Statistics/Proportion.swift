import Foundation

extension Statistics {
  /// The two-sided p-value: the probability of a split at least as uneven, were every trial a fair coin: the
  /// exact sign test. Nil of no trials and of successes that are no part of them.
  ///
  /// Source: Arbuthnott (1710); Conover, "Practical Nonparametric Statistics", 3rd ed. (1999),
  /// section 3.4.
  package static func binomialTwoSided(successes: Int, of trials: Int) -> Double? {
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
  package static func clopperPearson(
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

  /// Where between two bounds a condition begins to hold, to so much or, without it, the last digit.
  static func bisection(
    _ low: Double, _ high: Double, precision: Double = 0, holds: (Double) -> Bool
  ) -> Double {
    var (low, high) = (low, high)
    while high - low > precision {
      let middle = (low + high) / 2
      guard low < middle, middle < high else { break }
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

/// The number of successes among independent trials of equal chance; the chance is neither 0 nor 1.
struct Binomial {
  let trials: Int
  let chance: Double

  /// The probability of at most so many successes.
  ///
  /// Terms are added from the largest outwards, so that nothing cancels.
  func atMost(_ successes: Int) -> Double {
    guard successes >= 0 else { return 0 }
    guard successes < trials else { return 1 }
    return Double(successes) <= mean
      ? tail(from: successes, step: -1) : 1 - tail(from: successes + 1, step: 1)
  }

  /// The probability of at least so many successes.
  func atLeast(_ successes: Int) -> Double {
    guard successes > 0 else { return 1 }
    guard successes <= trials else { return 0 }
    return Double(successes) >= mean
      ? tail(from: successes, step: 1) : 1 - tail(from: successes - 1, step: -1)
  }

  private var mean: Double { Double(trials) * chance }

  /// The sum from a term on towards one end, away from the mean.
  private func tail(from first: Int, step: Int) -> Double {
    let odds = step > 0 ? chance / (1 - chance) : (1 - chance) / chance
    var (sum, successes) = (0.0, first)
    var term = probability(of: first)
    while (0...trials).contains(successes), term > sum * 1e-18 {
      sum += term
      let (left, taken) =
        step > 0 ? (trials - successes, successes + 1) : (successes, trials - successes + 1)
      term *= Double(left) / Double(taken) * odds
      successes += step
    }
    return sum
  }

  /// Source: Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000), which keeps
  /// all digits where differences of log-gammas lose them.
  private func probability(of successes: Int) -> Double {
    let (n, k) = (Double(trials), Double(successes))
    if successes == 0 { return exp(n * log1p(-chance)) }
    if successes == trials { return exp(n * log(chance)) }
    let exponent =
      Self.stirlingError(n) - Self.stirlingError(k) - Self.stirlingError(n - k)
      - Self.deviance(k, mean) - Self.deviance(n - k, n * (1 - chance))
    return exp(exponent) * (n / (2 * .pi * k * (n - k))).squareRoot()
  }

  /// ln n! less Stirling's formula.
  private static func stirlingError(_ n: Double) -> Double {
    guard n > 15 else {
      return lgamma(n + 1) - (n + 0.5) * log(n) + n - log(2 * .pi) / 2
    }
    let square = n * n
    let inner = 1 / 1260.0 - (1 / 1680.0 - 1 / 1188 / square) / square
    return (1 / 12.0 - (1 / 360.0 - inner / square) / square) / n
  }

  /// x ln(x / mean) + mean - x.
  private static func deviance(_ x: Double, _ mean: Double) -> Double {
    let gap = x - mean
    guard abs(gap) < 0.1 * (x + mean) else { return x * log(x / mean) - gap }
    let share = gap / (x + mean)
    var (sum, term) = (gap * share, 2 * x * share)
    for power in 1...1_000 {
      term *= share * share
      let next = sum + term / Double(2 * power + 1)
      if next == sum { break }
      sum = next
    }
    return sum
  }
}
