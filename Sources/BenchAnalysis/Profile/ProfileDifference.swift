import BenchResults
import Foundation

/// How the cost of each function changed between two profiles of a phase.
///
/// Costs are per run of the phase. Sampled costs are first adjusted to one speed of the machine,
/// which changes from minute to minute. The adjustment uses the measured ratio of the whole, if
/// known, or the factor that most functions have in common.
package struct ProfileDifference: Sendable {
  package struct Row: Equatable, Sendable {
    package var frame: Profile.Frame
    /// The cost per run before the change.
    package var before: Double
    package var now: Double
    /// The 95 % confidence interval of the change, or nil if the measure is not sampled.
    package var interval: Interval?

    /// Whether the change is more than chance, given how many functions were tested.
    package fileprivate(set) var isClear: Bool

    package var change: Double { now - before }
  }

  /// Selects the function that a cost is attributed to.
  package enum Blame: Sendable {
    /// The innermost function, which does the work.
    case function
    /// The innermost function of the program or a library. Work of the runtimes, the C library and
    /// the kernel counts for their caller.
    case site
  }

  package enum Speed: Sendable {
    /// The factor that most functions have in common.
    case common
    /// The measured ratio of the whole, now over before.
    case ratio(Double)
    /// No adjustment, because the profiles share too little.
    case given
  }

  /// The measure, or the first one if several are added.
  package let measure: Profile.Measure
  /// How many times as long everything took now, which was divided out; 1 if not sampled.
  package let speed: Double
  /// The costs of one run of the phase before and now, at one speed.
  package let (before, now): (Double, Double)
  /// The functions, sorted by descending growth.
  package let rows: [Row]
  private let sides: Sides

  /// Compares two profiles of the same phase.
  ///
  /// - Parameter indices: the measures to add up, which both profiles have. The first is time at
  ///   work, which gives the machine's speed. Time spent waiting is not adjusted.
  package init(
    from old: Profile, to new: Profile, measures indices: [Int] = [0], by blame: Blame = .function,
    speed: Speed = .common
  ) {
    let measure = new.measures[indices[0]]
    let sides = Sides(
      old: BlockCosts(old, indices, by: blame), new: BlockCosts(new, indices, by: blame),
      sample: measure.sample)
    // The machine's speed cannot be found from a measure that is not sampled.
    let speed = measure.sample == nil ? .given : speed
    let whole = Estimate(sides.old.whole, sides.new.whole, speed)
    // Leave out each block in turn, for the jackknife.
    let parts = [
      sides.old.withoutEach.map { Estimate($0, sides.new.whole, speed) },
      sides.new.withoutEach.map { Estimate(sides.old.whole, $0, speed) },
    ]
    (self.sides, self.measure) = (sides, measure)
    self.speed = whole.factor
    before = whole.old.costs.values.reduce(0) { $0 + $1.sum() }
    now = whole.new.costs.values.reduce(0) { $0 + ($1.x / whole.factor + $1.y) }
    let found = Set(whole.old.costs.keys).union(whole.new.costs.keys).map { frame in
      let (before, now) = (whole.before(frame), whole.now(frame))
      // Times of calls come from one process each, so nothing separates them from chance.
      let isClear = !measure.isMeasured && before != now
      return Row(frame: frame, before: before, now: now, isClear: isClear)
    }
    rows = sides.judged(found, whole, parts).sorted {
      $0.change != $1.change ? $0.change > $1.change : $0.frame.name < $1.frame.name
    }
  }

  /// Returns the half-width of the 95 % interval of a change, by the number of samples alone.
  /// Returns 0 if the measure is not sampled.
  package func samplingError(before: Double, now: Double) -> Double {
    1.96 * sides.samplingError(before: before, now: now, factor: speed)
  }
}

private struct RunCosts {
  /// The cost of one function: time at work, which depends on the machine's speed, and time waiting, which does not.
  typealias Cost = SIMD2<Double>

  let costs: [Profile.Frame: Cost]
  let runs: Double

  var atWork: Double { costs.values.reduce(0) { $0 + $1.x } }

  func cost(_ frame: Profile.Frame) -> Cost { costs[frame] ?? .zero }
}

/// A profile's costs in all blocks together, and in all but one.
private struct BlockCosts {
  let whole: RunCosts
  /// Empty if the profile has one block or does not record how often the phase ran in each.
  let withoutEach: [RunCosts]

  init(_ profile: Profile, _ measures: [Int], by blame: ProfileDifference.Blame) {
    let blocks = profile.stacks.first?.values.count ?? 0
    let known = profile.facts.runsOfBlocks.flatMap { $0.count == blocks && blocks > 1 ? $0 : nil }
    var costs = [[Profile.Frame: RunCosts.Cost]](repeating: [:], count: max(blocks, 1))
    for stack in profile.stacks {
      let frame = profile.blamed(stack.frames, blame)
      for (block, values) in stack.values.enumerated() where block < costs.count {
        let waiting = measures.dropFirst().reduce(0) { $0 + values[$1] }
        guard values[measures[0]] != 0 || waiting != 0 else { continue }
        costs[block][frame, default: .zero] += RunCosts.Cost(values[measures[0]], waiting)
      }
    }
    func together(_ blocks: [Int], _ runs: Int) -> RunCosts {
      let runs = Double(max(runs, 1))
      let all = blocks.reduce(into: [Profile.Frame: RunCosts.Cost]()) { all, block in
        all.merge(costs[block], uniquingKeysWith: +)
      }
      return RunCosts(costs: all.mapValues { $0 / runs }, runs: runs)
    }
    whole = together(Array(costs.indices), profile.facts.runs)
    withoutEach =
      known.map { known in
        costs.indices.map { left in
          together(costs.indices.filter { $0 != left }, known.reduce(0, +) - known[left])
        }
      } ?? []
  }
}

/// The costs of two programs at one speed of the machine.
private struct Estimate {
  let old: RunCosts
  let new: RunCosts
  /// How many times as long everything took now.
  let factor: Double

  init(_ old: RunCosts, _ new: RunCosts, _ speed: ProfileDifference.Speed) {
    (self.old, self.new) = (old, new)
    switch speed {
    case .given: factor = 1
    case .common: factor = Self.common(old, new)
    case .ratio(let ratio):
      let (before, now) = (old.atWork, new.atWork)
      factor = before > 0 && now > 0 && ratio > 0 ? now / before / ratio : 1
    }
  }

  func before(_ frame: Profile.Frame) -> Double { old.cost(frame).sum() }
  func now(_ frame: Profile.Frame) -> Double { new.cost(frame).x / factor + new.cost(frame).y }

  /// Returns the median of the functions' ratios, weighted by cost. A weight is at most a twentieth
  /// of the whole, so that a large function cannot pass off its own change as the machine's.
  private static func common(_ old: RunCosts, _ new: RunCosts) -> Double {
    let most = min(old.atWork, new.atWork) / 20
    let ratios = old.costs.compactMap { frame, cost -> (ratio: Double, weight: Double)? in
      let (then, now) = (cost.x, new.cost(frame).x)
      guard then > 0, now > 0 else { return nil }
      return (now / then, min(then, now, most))
    }.sorted { $0.ratio < $1.ratio }
    let all = ratios.reduce(0) { $0 + $1.weight }
    // If a few functions are nearly all of the cost, the rest cannot show the machine's speed.
    guard all > 4 * most else { return 1 }
    var rest = all / 2
    for (ratio, weight) in ratios {
      rest -= weight
      if rest <= 0 { return ratio }
    }
    return 1
  }
}

/// The costs of both programs, and how far chance moves their difference.
private struct Sides {
  let old: BlockCosts
  let new: BlockCosts
  /// The amount that one sample stands for, or nil if the measure is not sampled.
  let sample: Double?

  /// The fewest samples in both programs together for a function to be tested.
  private static let fewestSamples = 10.0

  /// Returns the rows with the intervals of their changes and the results of the tests. Without
  /// samples it returns the rows unchanged.
  ///
  /// The variance of a change is that of the number of samples, times a dispersion: how much more
  /// all functions vary between processes (quasi-Poisson; McCullagh and Nelder, "Generalized Linear
  /// Models", 1989, 6.2). Tests use this variance and are corrected for their number, so that a
  /// false alarm among all functions is as rare as for one. A function that varies more by itself,
  /// such as one that once waits for long, has a wider interval. This interval must exclude 0, too.
  func judged(
    _ rows: [ProfileDifference.Row], _ whole: Estimate, _ parts: [[Estimate]]
  ) -> [ProfileDifference.Row] {
    guard let sample else { return rows }
    let isAlone = parts.contains { $0.isEmpty }
    let sampling = rows.map { samplingVariance(of: $0, whole, isAlone: isAlone) }
    let samples = rows.map {
      ($0.before * whole.old.runs + $0.now * whole.factor * whole.new.runs) / sample
    }
    let between: [Double]? = isAlone ? nil : rows.map { betweenVariance(of: $0, parts) }
    let excess = between.flatMap { between in
      Statistics.median(
        rows.indices.filter { samples[$0] >= 2 * Self.fewestSamples }
          .map { between[$0] / sampling[$0] })
    }
    let dispersion = max(excess ?? 1, 1)
    let t = between == nil ? 1.96 : Statistics.studentT(0.95, parts[0].count + parts[1].count - 2)
    let tested = rows.indices.filter { samples[$0] >= Self.fewestSamples }
    let adjusted = Statistics.holm(
      tested.map {
        let z = abs(rows[$0].change) / (dispersion * sampling[$0]).squareRoot()
        return erfc(z / 2.0.squareRoot())
      })
    let chances = Dictionary(uniqueKeysWithValues: zip(tested, adjusted))
    return rows.indices.map { index in
      var row = rows[index]
      let variance = max(dispersion * sampling[index], between?[index] ?? 0)
      let error = (t ?? .infinity) * variance.squareRoot()
      let interval = Interval(low: row.change - error, high: row.change + error)
      row.interval = interval
      row.isClear = chances[index, default: 1] < 0.05 && !interval.contains(0)
      return row
    }
  }

  /// Returns how much a change varies if each block in turn is left out. This includes differences
  /// between processes, waits of many samples, and the error of the speed factor (the jackknife:
  /// Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 11).
  private func betweenVariance(
    of row: ProfileDifference.Row, _ parts: [[Estimate]]
  ) -> Double {
    parts.reduce(0.0) { sum, parts in
      let changes = parts.map { $0.now(row.frame) - $0.before(row.frame) }
      let mean = changes.reduce(0, +) / Double(changes.count)
      let squares = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return sum + squares * Double(changes.count - 1) / Double(changes.count)
    }
  }

  /// - Parameter isAlone: whether a side has one block, so no other term has the error of the speed factor.
  private func samplingVariance(
    of row: ProfileDifference.Row, _ whole: Estimate, isAlone: Bool
  ) -> Double {
    let error = samplingError(before: row.before, now: row.now, factor: whole.factor)
    guard isAlone, whole.factor != 1, let sample else { return error * error }
    // A median's variance is π/2 times a mean's.
    let samples = [whole.old, whole.new].map { max($0.atWork * $0.runs / sample, 1) }
    return error * error + row.now * row.now * .pi / 2 * (1 / samples[0] + 1 / samples[1])
  }

  /// Returns the standard error by the number of samples. Samples fall into a function independently, so
  /// their number has a Poisson distribution. One more sample stands for what was never seen.
  func samplingError(before: Double, now: Double, factor: Double) -> Double {
    guard let sample else { return 0 }
    let (then, today) = (sample / old.whole.runs, sample / new.whole.runs / factor)
    return ((before / then + 1) * then * then + (now / today + 1) * today * today).squareRoot()
  }
}

extension Profile.Measure {
  /// Whether chance affects it: samples and times. All other measures are counted.
  package var isMeasured: Bool { sample != nil || unit == .nanoseconds }
}

extension Profile {
  fileprivate func blamed(_ path: [Int], _ blame: ProfileDifference.Blame) -> Frame {
    let itself = Frame(name: phase, module: "phase", owner: .program)
    guard let last = path.last else { return itself }
    switch blame {
    case .function: return frames[last]
    case .site:
      let site = path.last { [.program, .library].contains(frames[$0].owner) }
      return frames[site ?? last]
    }
  }
}
