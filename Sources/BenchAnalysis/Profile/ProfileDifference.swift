import BenchResults
import Foundation

/// What became dearer from one profile of a phase to another, function by function.
///
/// Costs are of one run of the phase. Sampled ones are brought to one speed of the machine first, which
/// changes from minute to minute: by the ratio of the whole, where that was measured, else by the factor
/// that most functions have in common.
package struct ProfileDifference: Sendable {
  package struct Row: Equatable, Sendable {
    package var frame: Profile.Frame
    /// What it cost before, a run.
    package var before: Double
    package var now: Double
    /// The change's interval at 95 %: nil of what is not sampled.
    package var interval: Interval?

    /// Whether it is told from chance, among all functions that were looked at.
    package fileprivate(set) var isClear: Bool

    package var change: Double { now - before }
  }

  /// Whose a cost is.
  package enum Blame: Sendable {
    /// The function's that is at work.
    case function
    /// The program's or library's function for which it is done: what the runtimes, the C library and the
    /// kernel do is their caller's.
    case site
  }

  package enum Speed: Sendable {
    /// By what most functions have in common.
    case common
    /// By the whole's measured ratio, now over before.
    case ratio(Double)
    /// Both are taken as they are: they share too little.
    case given
  }

  /// The measure; of several that are added the first.
  package let measure: Profile.Measure
  /// By how much everything took longer now, which was divided out; 1 of what is not sampled.
  package let speed: Double
  /// What a run of the phase cost before, and costs now, at one speed.
  package let (before, now): (Double, Double)
  /// The functions, the one that grew most first.
  package let rows: [Row]
  private let sides: Sides

  /// Compares two profiles of the same phase.
  ///
  /// - Parameter indices: which of the measures, that both have, are added up. The machine's speed is that of
  ///   the first, at work; what was waited besides is taken as it is.
  package init(
    from old: Profile, to new: Profile, measures indices: [Int] = [0], by blame: Blame = .function,
    speed: Speed = .common
  ) {
    let measure = new.measures[indices[0]]
    let sides = Sides(
      old: BlockCosts(old, indices, by: blame), new: BlockCosts(new, indices, by: blame),
      sample: measure.sample)
    // Of what is not sampled no speed is to be found.
    let speed = measure.sample == nil ? .given : speed
    let whole = Estimate(sides.old.whole, sides.new.whole, speed)
    // The same without each block in turn.
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
      // Nothing tells times of calls, which are of one process each, from chance.
      let isClear = !measure.isMeasured && before != now
      return Row(frame: frame, before: before, now: now, isClear: isClear)
    }
    rows = sides.judged(found, whole, parts).sorted {
      $0.change != $1.change ? $0.change > $1.change : $0.frame.name < $1.frame.name
    }
  }

  /// Half of the interval at 95 % of a change between two costs a run, by the number of samples alone; 0 of
  /// what is not sampled.
  package func samplingError(before: Double, now: Double) -> Double {
    1.96 * sides.samplingError(before: before, now: now, factor: speed)
  }
}

private struct RunCosts {
  /// Of one function: at work, which the machine's speed bears upon, and waiting, which it does not.
  typealias Cost = SIMD2<Double>

  let costs: [Profile.Frame: Cost]
  let runs: Double

  var atWork: Double { costs.values.reduce(0) { $0 + $1.x } }

  func cost(_ frame: Profile.Frame) -> Cost { costs[frame] ?? .zero }
}

/// A profile's costs of all blocks together, and of all but one.
private struct BlockCosts {
  let whole: RunCosts
  /// Empty of a profile that has one block, or does not tell how often the phase ran in each.
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

/// Two programs' costs, at one speed of the machine.
private struct Estimate {
  let old: RunCosts
  let new: RunCosts
  /// By how much everything took longer now.
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

  /// The median of the functions' ratios, each weighted by its cost, none with more than a twentieth of
  /// the whole: one large function must not pass its own change off as the machine's.
  private static func common(_ old: RunCosts, _ new: RunCosts) -> Double {
    let most = min(old.atWork, new.atWork) / 20
    let ratios = old.costs.compactMap { frame, cost -> (ratio: Double, weight: Double)? in
      let (then, now) = (cost.x, new.cost(frame).x)
      guard then > 0, now > 0 else { return nil }
      return (now / then, min(then, now, most))
    }.sorted { $0.ratio < $1.ratio }
    let all = ratios.reduce(0) { $0 + $1.weight }
    // Where a few functions are nearly all of it, nothing is left to tell the machine's speed by.
    guard all > 4 * most else { return 1 }
    var rest = all / 2
    for (ratio, weight) in ratios {
      rest -= weight
      if rest <= 0 { return ratio }
    }
    return 1
  }
}

/// Both programs' costs, and how far chance moves what they differ by.
private struct Sides {
  let old: BlockCosts
  let new: BlockCosts
  /// How much a sample stands for; nil of what is not sampled.
  let sample: Double?

  /// Functions with fewer samples in both together are never told from chance.
  private static let fewestSamples = 10.0

  /// The rows with the intervals of their changes, and which are told from chance; without samples the
  /// rows as they are.
  ///
  /// A change's variance is that of the number of samples, times how much more all functions together vary
  /// between processes than that (quasi-Poisson; McCullagh and Nelder, "Generalized Linear Models", 1989,
  /// 6.2). By this a change is tested, so that of all functions together a false alarm is as rare as of one. A
  /// function that varies more by itself, since it waits once for long, has the wider interval of its own,
  /// which must be without 0, too.
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

  /// By how much a change differs when each block in turn is left out, which has in it what differs between
  /// processes, waits of many samples each, and the factor's own error (the jackknife: Efron and Tibshirani, "An
  /// Introduction to the Bootstrap", 1993, chapter 11).
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

  /// - Parameter isAlone: whether there is one block, so that the factor's error is in nothing else.
  private func samplingVariance(
    of row: ProfileDifference.Row, _ whole: Estimate, isAlone: Bool
  ) -> Double {
    let error = samplingError(before: row.before, now: row.now, factor: whole.factor)
    guard isAlone, whole.factor != 1, let sample else { return error * error }
    // A median's variance is π/2 times a mean's.
    let samples = [whole.old, whole.new].map { max($0.atWork * $0.runs / sample, 1) }
    return error * error + row.now * row.now * .pi / 2 * (1 / samples[0] + 1 / samples[1])
  }

  /// The standard error by the number of samples: they fall into a function independently of each other, so
  /// that their number varies by Poisson's law; one more stands for what was never met.
  func samplingError(before: Double, now: Double, factor: Double) -> Double {
    guard let sample else { return 0 }
    let (then, today) = (sample / old.whole.runs, sample / new.whole.runs / factor)
    return ((before / then + 1) * then * then + (now / today + 1) * today * today).squareRoot()
  }
}

extension Profile.Measure {
  /// Whether chance is in it: samples, and times. All else is counted.
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
