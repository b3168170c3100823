import Foundation

extension Statistics {
  /// Returns the exact interval of a chance after `successes` of `trials`; its ends are 0 or 1 if
  /// none or all succeeded. It covers the chance with at least the level's probability, and each
  /// end misses it at most half as often as both. Nil without trials, for successes outside
  /// 0...trials, and for a level outside 0 to 1. Source: Clopper & Pearson, Biometrika 26 (1934).
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

  /// Returns where a condition begins to hold, to `precision` or by default to the last digit.
  package static func bisection(
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

/// The distribution of successes among independent trials of equal chance, not 0 or 1.
struct Binomial {
  let trials: Int
  let chance: Double

  /// Returns the probability of at most `successes`. Adds terms from the largest outwards, so that
  /// nothing cancels.
  func atMost(_ successes: Int) -> Double {
    guard successes >= 0 else { return 0 }
    guard successes < trials else { return 1 }
    return Double(successes) <= mean
      ? tail(from: successes, step: -1) : 1 - tail(from: successes + 1, step: 1)
  }

  func atLeast(_ successes: Int) -> Double {
    guard successes > 0 else { return 1 }
    guard successes <= trials else { return 0 }
    return Double(successes) >= mean
      ? tail(from: successes, step: 1) : 1 - tail(from: successes - 1, step: -1)
  }

  private var mean: Double { Double(trials) * chance }

  /// Returns the sum from a term on towards one end, away from the mean.
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

  private func probability(of successes: Int) -> Double {
    let (n, k) = (Double(trials), Double(successes))
    let ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return exp(ways + k * log(chance) + (n - k) * log1p(-chance))
  }
}
