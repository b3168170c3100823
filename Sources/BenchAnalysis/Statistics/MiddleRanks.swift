import Synchronization

/// Which of the sorted values stand in the middle of a resample: they alone make its median.
struct MiddleRanks: Hashable {
  var lower: Int
  var upper: Int
  /// How many resamples have these.
  var times = 1

  /// Draws one resample of as many values as there are.
  init(count: Int, _ generator: inout SplitMix64) {
    self.init(draws: Self.draws(count: count, &generator))
  }

  /// Of a resample in which each of the sorted values is so many times.
  init(draws: [Int]) {
    let count = draws.count
    upper = Self.index(rank: count / 2, draws)
    lower = count.isMultiple(of: 2) ? Self.index(rank: count / 2 - 1, draws) : upper
  }

  /// Draws one resample of as many values as there are: how many times each is in it.
  static func draws(count: Int, _ generator: inout SplitMix64) -> [Int] {
    var draws = Array(repeating: 0, count: count)
    for _ in 0..<count { draws[generator.index(below: count)] += 1 }
    return draws
  }

  /// The median of the resample.
  func median(ofSorted values: [Double]) -> Double {
    lower == upper ? values[upper] : (values[lower] + values[upper]) / 2
  }

  private static func index(rank: Int, _ counts: [Int]) -> Int {
    var passed = 0
    for (index, count) in counts.enumerated() {
      passed += count
      if passed > rank { return index }
    }
    return counts.count - 1
  }
}

extension MiddleRanks {
  private struct Draw: Hashable {
    var count: Int
    var resamples: Int
    var seed: UInt64
  }

  /// The largest number of values whose draws are kept.
  private static let mostKept = 256

  private static let kept = Mutex<[Draw: [MiddleRanks]]>([:])

  /// The resamples of one seed: the same whatever the values are, so that a gate that looks at
  /// thousands of rows draws them once a number of values.
  static func drawn(count: Int, resamples: Int, seed: UInt64) -> [MiddleRanks] {
    let draw = Draw(count: count, resamples: resamples, seed: seed)
    if let found = kept.withLock({ $0[draw] }) { return found }
    let ranks = drawn(draw)
    if count <= mostKept { kept.withLock { $0[draw] = ranks } }
    return ranks
  }

  private static func drawn(_ draw: Draw) -> [MiddleRanks] {
    var generator = SplitMix64(seed: draw.seed)
    let all = (0..<draw.resamples).map { _ in MiddleRanks(count: draw.count, &generator) }
    return Dictionary(grouping: all) { $0 }.map { ranks, alike in
      MiddleRanks(lower: ranks.lower, upper: ranks.upper, times: alike.count)
    }
  }

  private init(lower: Int, upper: Int, times: Int) {
    (self.lower, self.upper, self.times) = (lower, upper, times)
  }
}
