import Foundation

extension Statistics {
  /// The fewest values of one level: a step with fewer values may be a hiccup.
  package static let shortestLevel = 3

  /// Returns where a noisy series changes its level for good: the indices of the values that begin a new level, ascending.
  ///
  /// Finds the best cut of the series into levels of at least ``shortestLevel`` values, among all cuts. A cut costs the
  /// squared distances from each level's mean, in units of the noise, plus a penalty of `3.6 ln n + 120 / n` per change,
  /// because few values show the noise badly. Source: Jackson et al., "An Algorithm for Optimal Partitioning of Data on an
  /// Interval", IEEE Signal Processing Letters 12 (2005). The penalty comes from simulations: at most one series in a
  /// hundred without a change seems to have one, from 6 values on, if the values are independent. Where neighbours are
  /// alike, a change costs more. Pass logarithms of times, so that a ratio is the same distance everywhere.
  package static func changePoints(_ values: [Double]) -> [Int] {
    let count = values.count
    guard count >= 2 * shortestLevel, values.allSatisfy(\.isFinite), Set(values).count > 1
    else { return [] }
    let penalty = 3.6 * log(Double(count)) + 120 / Double(count)
    var (noise, tamed, found) = (0.0, values, [Int]())
    // The second time without the steps of the changes found, so that one change does not hide the next.
    for _ in 0..<2 {
      noise = stepNoise(values, without: found)
      tamed = limited(values, to: 2 * noise)
      found = bestCut(of: tamed, penalty: penalty * noise * noise)
      if found.isEmpty { return [] }
    }
    let factor = autocorrelationFactor(tamed, noise, changing: found)
    return factor > 1 ? bestCut(of: tamed, penalty: penalty * factor * noise * noise) : found
  }

  /// Whether a straight line explains a stretch of levels clearly better than the levels do, by squared distances. Then the
  /// values rise or fall little by little, and the places where the levels begin mean nothing.
  package static func isSlope(_ values: [Double], _ levels: [Range<Int>]) -> Bool {
    guard let first = levels.first, let last = levels.last else { return false }
    let stretch = values[first.lowerBound..<last.upperBound]
    let middle = Double(stretch.count - 1) / 2
    let times = (0..<stretch.count).map { Double($0) - middle }
    let product = zip(times, stretch).reduce(0.0) { $0 + $1.0 * $1.1 }
    let line = squares(stretch) - product * product / squares(times[...])
    let steps = levels.reduce(0.0) { $0 + squares(values[$1]) }
    return line < 0.9 * steps
  }

  /// Returns the sum of the squared distances from the mean.
  private static func squares(_ values: ArraySlice<Double>) -> Double {
    let middle = mean(Array(values)) ?? 0
    return values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
  }

  /// Returns where the levels of the cheapest cut begin, by dynamic programming over the ends of the last level.
  private static func bestCut(of values: [Double], penalty: Double) -> [Int] {
    let count = values.count
    // Sums over the first values. Distances from one of them keep their precision.
    var (sums, squares) = ([0.0], [0.0])
    for (place, value) in values.enumerated() {
      let distance = value - values[0]
      sums.append(sums[place] + distance)
      squares.append(squares[place] + distance * distance)
    }
    var best = [-penalty] + [Double](repeating: .infinity, count: count)
    var last = [Int](repeating: 0, count: count + 1)
    for end in shortestLevel...count {
      for start in 0...end - shortestLevel {
        let sum = sums[end] - sums[start]
        let level = squares[end] - squares[start] - sum * sum / Double(end - start)
        let cost = best[start] + level + penalty
        if cost < best[end] { (best[end], last[end]) = (cost, start) }
      }
    }
    var (found, end) = ([Int](), last[count])
    while end > 0 {
      found.append(end)
      end = last[end]
    }
    return found.reversed()
  }

  /// Returns the standard deviation of one value, by the steps between neighbours without those at `changes`. No step
  /// counts as more than 3.5 times their median, unless most steps are 0. A clock's ticks are noise as well, so the
  /// result is at least 0.35 of the smallest step.
  private static func stepNoise(_ values: [Double], without changes: [Int]) -> Double {
    let steps = zip(values.dropFirst(), values).map { abs($0 - $1) }
    let typical = median(steps) ?? 0
    let most = typical > 0 ? 3.5 * typical : .infinity
    let kept = steps.indices.filter { !changes.contains($0 + 1) }.map { min(steps[$0], most) }
    let square = mean(kept.map { $0 * $0 / 2 }) ?? 0
    return max(square.squareRoot(), 0.35 * (steps.filter { $0 > 0 }.min() ?? 0))
  }

  /// Limits every value to a distance from the median of the five around it. One or two wild runs
  /// then do not make a level, even at an end, but three do.
  private static func limited(_ values: [Double], to distance: Double) -> [Double] {
    values.indices.map { index in
      let first = min(max(index - 2, 0), max(values.count - 5, 0))
      let middle = median(Array(values[first..<min(first + 5, values.count)])) ?? values[index]
      return min(max(values[index], middle - distance), middle + distance)
    }
  }

  /// Returns the factor by which a change costs more if neighbours are alike, as on a machine whose slow
  /// stretches outlast a run. If each value has a share `r` of the one before, a long stretch's mean varies
  /// `(1 + r) / (1 - r)` times as much as that of independent values. The steps that the noise is learned from
  /// vary only `1 - r` times as much. `r` is the autocorrelation of neighbours around their levels, from 0 to a
  /// half, since rising values are alike as well. Source: Bayley & Hammersley, "The 'Effective' Number of
  /// Independent Observations in an Autocorrelated Time Series" (1946).
  private static func autocorrelationFactor(
    _ values: [Double], _ noise: Double, changing places: [Int]
  ) -> Double {
    let bounds = [0] + places + [values.count]
    let rests = zip(bounds, bounds.dropFirst()).flatMap { start, end -> [Double] in
      let middle = mean(Array(values[start..<end])) ?? 0
      return values[start..<end].map { $0 - middle }
    }
    let squares = rests.reduce(0) { $0 + $1 * $1 }
    // Values without noise have only rounding errors, which are often alike.
    guard squares > 1e-6 * noise * noise else { return 1 }
    let products = zip(rests, rests.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let r = min(max(products / squares, 0), 0.5)
    return (1 + r) / ((1 - r) * (1 - r))
  }
}
