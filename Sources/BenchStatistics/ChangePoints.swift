import Foundation

extension Statistics {
  /// The fewest values of one level: a step with fewer values may be a hiccup.
  package static let shortestLevel = 3

  /// Returns where a series changes its level for good: the indices of the values that begin a new level, ascending.
  ///
  /// Finds the best cut of the series into levels of at least ``shortestLevel`` values. A cut costs the squared
  /// distances from each level's mean, in units of the noise, plus a penalty of `3.8 ln n` per change. The search is
  /// exact and prunes places that can no longer be the last change: Killick, Fearnhead & Eckley, "Optimal Detection of
  /// Changepoints With a Linear Computational Cost" (PELT), JASA 107 (2012). The noise is learned from the steps
  /// between neighbours, which a change of level moves only once. It is learned again without the steps of the changes
  /// found, so that one change does not hide the next. Few values show the noise badly, so a change costs `150 / n`
  /// more. With both, at most one series in a hundred without a change seems to have one. This holds from 6 values on,
  /// for independent values with one noise. Where neighbours are alike, a change costs even more (`autocorrelationFactor`). Pass
  /// logarithms of times, so that a ratio is the same distance everywhere.
  ///
  /// - Parameters:
  ///   - isExact: Whether values that do not vary are exact, unless they go to and fro all the time. Otherwise they
  ///     may come from a coarse clock, which moves between neighbouring ticks.
  ///   - largestTick: The largest tick that such a clock can have, if values hardly ever move.
  package static func changePoints(
    _ values: [Double], isExact: Bool = false, largestTick: Double = .infinity
  ) -> [Int] {
    let count = values.count
    guard count >= 2 * shortestLevel, values.allSatisfy(\.isFinite) else { return [] }
    let isExact = isExact && !alternates(values)
    // If exact values move only at changes, the smallest step counts as much as the largest.
    let values = isExact && median(steps(values)) == 0 ? ranks(values) : values
    guard let range = Interval(of: values), range.width > 0 else { return [] }
    let ticks = isExact ? 0 : tickNoise(values, largest: largestTick)
    let penalty = 3.8 * log(Double(count)) + 150 / Double(count)
    var (noise, scale, found) = (0.0, [Double](), [Int]())
    for _ in 0..<3 {
      noise = max(stepNoise(values, range, without: found), ticks)
      scale = limited(values, noise).map { ($0 - range.low) / noise }
      let again = bestCut(of: scale, penalty: penalty)
      if again == found { break }
      found = again
    }
    let factor = autocorrelationFactor(scale, changing: found)
    if factor > 1, !found.isEmpty { found = bestCut(of: scale, penalty: penalty * factor) }
    return lasting(found, in: values.map { ($0 - range.low) / noise }, limited: scale)
  }

  /// Returns the changes with ``shortestLevel`` values in a row on either side that are closer to
  /// their own level. If good and wild runs alternate, no change remains.
  private static func lasting(_ places: [Int], in values: [Double], limited: [Double]) -> [Int] {
    func longest(_ values: ArraySlice<Double>, _ belongs: (Double) -> Bool) -> Int {
      var (row, most) = (0, 0)
      for value in values {
        row = belongs(value) ? row + 1 : 0
        most = max(most, row)
      }
      return most
    }
    var places = places
    while true {
      let bounds = [0] + places + [values.count]
      let chance = places.indices.first { index in
        let (start, place, end) = (bounds[index], bounds[index + 1], bounds[index + 2])
        let before = mean(Array(limited[start..<place])) ?? 0
        let after = mean(Array(limited[place..<end])) ?? 0
        let middle = (before + after) / 2
        let isRise = after > before
        return longest(values[start..<place]) { ($0 < middle) == isRise && $0 != middle }
          < shortestLevel
          || longest(values[place..<end]) { ($0 > middle) == isRise && $0 != middle }
            < shortestLevel
      }
      guard let chance else { return places }
      places.remove(at: chance)
    }
  }

  /// Whether a series moves at more than one step in five and returns to earlier values three times
  /// or more. Such a series is not exact, whatever the caller says.
  private static func alternates(_ values: [Double]) -> Bool {
    var (seen, last, returns) = (Set<Double>(), Double.nan, 0)
    for value in values where value != last {
      if !seen.insert(value).inserted { returns += 1 }
      last = value
    }
    return returns >= 3 && 5 * steps(values).count { $0 > 0 } > values.count - 1
  }

  /// Returns where the levels of the best cut begin; values are in units of their noise.
  private static func bestCut(of values: [Double], penalty: Double) -> [Int] {
    let (count, levels) = (values.count, Levels(values))
    var best = [Double](repeating: .infinity, count: count + 1)
    var last = [Int](repeating: 0, count: count + 1)
    best[0] = -penalty
    // The places where a last level may begin, and the end from which on it no longer can.
    var starts: [(place: Int, until: Int)] = [(0, .max)]
    for end in shortestLevel...count {
      if end >= 2 * shortestLevel { starts.append((end - shortestLevel, .max)) }
      for start in starts {
        let cost = best[start.place] + levels.cost(start.place, end) + penalty
        if cost < best[end] { (best[end], last[end]) = (cost, start.place) }
      }
      for index in starts.indices where starts[index].until == .max {
        let place = starts[index].place
        if best[place] + levels.cost(place, end) > best[end] {
          starts[index].until = end + shortestLevel
        }
      }
      starts.removeAll { $0.until <= end + 1 }
    }
    var (found, end) = ([Int](), count)
    while last[end] > 0 {
      found.append(last[end])
      end = last[end]
    }
    return found.reversed()
  }

  /// Returns the factor by which a change costs more if neighbours are alike, as on a machine whose slow
  /// stretches outlast a run. If each value has a share `r` of the one before, a long stretch's mean varies
  /// `(1 + r) / (1 - r)` times as much as that of independent values. The steps that the noise is learned from
  /// vary only `1 - r` times as much. `r` is the autocorrelation of neighbours around their levels: 0 within
  /// its own standard error, and at most a half, since creeping values are alike as well. Source: Bayley &
  /// Hammersley, "The 'Effective' Number of Independent Observations in an Autocorrelated Time Series" (1946).
  private static func autocorrelationFactor(_ values: [Double], changing places: [Int]) -> Double {
    let bounds = [0] + places + [values.count]
    let rests = zip(bounds, bounds.dropFirst()).flatMap { start, end -> [Double] in
      let level = Array(values[start..<end])
      let middle = mean(level) ?? 0
      return level.map { $0 - middle }
    }
    let squares = rests.reduce(0.0) { $0 + $1 * $1 }
    let products = zip(rests, rests.dropFirst()).reduce(0.0) { $0 + $1.0 * $1.1 }
    let count = Double(values.count)
    // Without noise, only rounding errors far below a thousandth of a deviation are left.
    guard squares > 1e-6 * count, products / squares > 1 / count.squareRoot() else { return 1 }
    let r = min(products / squares, 0.5)
    return (1 + r) / ((1 - r) * (1 - r))
  }

  /// Returns the standard deviation of one value, by the root mean square of the steps between neighbours without
  /// those at `changes`. No step counts as more than 2.5 times the deviation that their median gives. A series that
  /// moves only at its changes has a millionth of its range, below which sums of squares lose precision.
  private static func stepNoise(
    _ values: [Double], _ range: Interval, without changes: [Int]
  ) -> Double {
    let changes = Set(changes)
    let steps = steps(values).enumerated().filter { !changes.contains($0.offset + 1) }.map(
      \.element)
    let most = 2.5 * 1.4826 * (median(steps) ?? 0)
    let square = mean(steps.map { min($0, most) * min($0, most) }) ?? 0
    return max(
      (square / 2).squareRoot(), range.width * 1e-6, max(abs(range.low), abs(range.high)) * 1e-12)
  }

  private static func steps(_ values: [Double]) -> [Double] {
    zip(values.dropFirst(), values).map { abs($0 - $1) }
  }

  /// Returns how many different values are smaller than each value.
  private static func ranks(_ values: [Double]) -> [Double] {
    let places = Dictionary(
      uniqueKeysWithValues: Set(values).sorted().enumerated().map { ($1, Double($0)) })
    return values.map { places[$0] ?? $0 }
  }

  /// Returns the standard deviation of a clock's ticks, the smallest distance between different values.
  /// It depends on how often values move at random between two ticks, and is at least 0.28 of a tick.
  private static func tickNoise(_ values: [Double], largest: Double) -> Double {
    let ordered = Set(values).sorted()
    guard let tick = zip(ordered.dropFirst(), ordered).map({ $0 - $1 }).min() else { return 0 }
    let moves = zip(values.dropFirst(), values).count { $0 != $1 }
    let share = Double(moves) / Double(values.count - 1)
    // A process may alternate between two speeds, further apart than one tick of the clock.
    return (moves > 2 ? tick : min(tick, largest)) * max((share / 2).squareRoot(), 0.28)
  }

  /// Limits every value to three times the noise around the median of the five around it. One or
  /// two wild runs then do not make a level, even at an end, but three do.
  private static func limited(_ values: [Double], _ noise: Double) -> [Double] {
    values.indices.map { index in
      let first = min(max(index - 2, 0), max(values.count - 5, 0))
      let around = values[first..<min(first + 5, values.count)]
      let middle = median(Array(around)) ?? values[index]
      return min(max(values[index], middle - 3 * noise), middle + 3 * noise)
    }
  }

  /// Computes the squared distances from the mean of any stretch of values, in constant time.
  private struct Levels {
    private var sums = [0.0]
    private var squares = [0.0]

    init(_ values: [Double]) {
      for value in values {
        sums.append(sums[sums.count - 1] + value)
        squares.append(squares[squares.count - 1] + value * value)
      }
    }

    func cost(_ start: Int, _ end: Int) -> Double {
      let sum = sums[end] - sums[start]
      return max(0, squares[end] - squares[start] - sum * sum / Double(end - start))
    }
  }
}
