import Foundation

extension Statistics {
  /// The fewest values of one level: a step of which fewer are known may be a hiccup.
  package static let shortestLevel = 3

  /// Where a series changes its level for good: the places of the values that begin a new one, ascending.
  ///
  /// The best cut of the series into levels, each of at least ``shortestLevel`` values, where a further level costs
  /// a penalty: of the squared distances from each level's mean, over the noise, plus `3.8 ln n` for each change. Found
  /// exactly by pruning what can no longer be the last change: Killick, Fearnhead & Eckley, "Optimal Detection of
  /// Changepoints With a Linear Computational Cost" (PELT), JASA 107 (2012). The noise is learned from the steps from
  /// one value to the next, which a change of level moves once, and again without those of the changes found, so that
  /// one change does not hide the next; of few values it is badly known, and a change costs `150 / n` more: with both
  /// at most one series in a hundred is said to change that does not, from 6 values on, where values are independent
  /// and of one noise. Where neighbours are alike a change costs more again (`inertia`).
  /// Values are taken as they are: of times give the logarithms, so that a ratio is as far wherever it is.
  ///
  /// - Parameters:
  ///   - isExact: whether values that do not vary are known to be just that, which going to and fro all the time refutes.
  ///     Else they may be those of a coarse clock, which goes from one of its ticks to the next and back.
  ///   - largestTick: what no tick of such a clock exceeds, where values hardly ever move.
  package static func changePoints(
    _ values: [Double], isExact: Bool = false, largestTick: Double = .infinity
  ) -> [Int] {
    let count = values.count
    guard count >= 2 * shortestLevel, values.allSatisfy(\.isFinite) else { return [] }
    let isExact = isExact && !wavers(values)
    // Of what never varies but where it changes the least step counts as much as the largest.
    let values = isExact && median(steps(values)) == 0 ? ranks(values) : values
    guard let range = Interval(of: values), range.width > 0 else { return [] }
    let ticks = isExact ? 0 : tickNoise(values, largest: largestTick)
    let penalty = 3.8 * log(Double(count)) + 150 / Double(count)
    var (noise, scale, found) = (0.0, [Double](), [Int]())
    for _ in 0..<3 {
      noise = max(stepNoise(values, range, without: found), ticks)
      scale = tamed(values, noise).map { ($0 - range.low) / noise }
      let again = bestCut(of: scale, penalty: penalty)
      if again == found { break }
      found = again
    }
    let factor = inertia(scale, changing: found)
    if factor > 1, !found.isEmpty { found = bestCut(of: scale, penalty: penalty * factor) }
    return lasting(found, in: values.map { ($0 - range.low) / noise }, tamed: scale)
  }

  /// The changes on either side of which ``shortestLevel`` values in a row lie on that level's side of the middle
  /// between both: where good and wild runs take turns, none does.
  private static func lasting(_ places: [Int], in values: [Double], tamed: [Double]) -> [Int] {
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
        let before = mean(Array(tamed[start..<place])) ?? 0
        let after = mean(Array(tamed[place..<end])) ?? 0
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

  /// Whether a series moves at more than one step in five, and goes back to earlier values three times or more: what
  /// does so is not exact, whoever says it.
  private static func wavers(_ values: [Double]) -> Bool {
    var (seen, last, returns) = (Set<Double>(), Double.nan, 0)
    for value in values where value != last {
      if !seen.insert(value).inserted { returns += 1 }
      last = value
    }
    return returns >= 3 && 5 * steps(values).count { $0 > 0 } > values.count - 1
  }

  /// Where the levels of the best cut begin, where each change costs a penalty; values in units of their noise.
  private static func bestCut(of values: [Double], penalty: Double) -> [Int] {
    let (count, levels) = (values.count, Levels(values))
    var best = [Double](repeating: .infinity, count: count + 1)
    var last = [Int](repeating: 0, count: count + 1)
    best[0] = -penalty
    // Where a last level may begin, and from which end on it no longer can.
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

  /// How many times more a change costs where neighbours are alike, as of a machine whose moods outlast a run: of
  /// values of which each has a share `r` of the one before, a long stretch's mean varies `(1 + r) / (1 - r)` times as
  /// much as of independent ones (Bayley & Hammersley, "The 'Effective' Number of Independent Observations in an
  /// Autocorrelated Time Series", 1946), and the steps that the noise is learned from only `1 - r` times. `r` is the
  /// autocorrelation of neighbours around their levels: none within its own standard error, and a half at most, since
  /// values that creep are alike as well.
  private static func inertia(_ values: [Double], changing places: [Int]) -> Double {
    let bounds = [0] + places + [values.count]
    let rests = zip(bounds, bounds.dropFirst()).flatMap { start, end -> [Double] in
      let level = Array(values[start..<end])
      let middle = mean(level) ?? 0
      return level.map { $0 - middle }
    }
    let squares = rests.reduce(0.0) { $0 + $1 * $1 }
    let products = zip(rests, rests.dropFirst()).reduce(0.0) { $0 + $1.0 * $1.1 }
    let count = Double(values.count)
    // Of levels without noise what is left is rounding, far below a thousandth of a standard deviation.
    guard squares > 1e-6 * count, products / squares > 1 / count.squareRoot() else { return 1 }
    let r = min(products / squares, 0.5)
    return (1 + r) / ((1 - r) * (1 - r))
  }

  /// The standard deviation of one value, from the steps between neighbours but those at some changes: their root mean
  /// square, where none counts as more than 2.5 times what the median says that one is; of a series that never moves
  /// but at its changes a millionth of how far it moved, below which sums of squares would lose what they are to tell.
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

  /// How many different values are smaller than each.
  private static func ranks(_ values: [Double]) -> [Double] {
    let places = Dictionary(
      uniqueKeysWithValues: Set(values).sorted().enumerated().map { ($1, Double($0)) })
    return values.map { places[$0] ?? $0 }
  }

  /// The standard deviation of a clock's ticks, the least distance between values that differ: of values that go between
  /// two of them at random by how often they do, and 0.28 of a tick where they hardly ever do.
  private static func tickNoise(_ values: [Double], largest: Double) -> Double {
    let ordered = Set(values).sorted()
    guard let tick = zip(ordered.dropFirst(), ordered).map({ $0 - $1 }).min() else { return 0 }
    let moves = zip(values.dropFirst(), values).count { $0 != $1 }
    let share = Double(moves) / Double(values.count - 1)
    // What goes to and fro between two values may do so by more than a grain: a process has moods as well.
    return (moves > 2 ? tick : min(tick, largest)) * max((share / 2).squareRoot(), 0.28)
  }

  /// The values, of which none is further from the median of the five around it than three times the noise: one wild
  /// run, or two, are no level, at an end either, and three keep theirs.
  private static func tamed(_ values: [Double], _ noise: Double) -> [Double] {
    values.indices.map { index in
      let first = min(max(index - 2, 0), max(values.count - 5, 0))
      let around = values[first..<min(first + 5, values.count)]
      let middle = median(Array(around)) ?? values[index]
      return min(max(values[index], middle - 3 * noise), middle + 3 * noise)
    }
  }

  /// The squared distances from the mean of any stretch of values, in constant time.
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
