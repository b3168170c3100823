import BenchResults
import Foundation

/// What became dearer from one profile of a phase to another, function by function.
///
/// Costs are of one run of the phase. Sampled ones are brought to one speed of the machine first, which
/// changes from minute to minute: by the ratio of the whole, where that was measured, else by the factor
/// that most functions have in common.
package struct ProfileDifference: Sendable {
  /// One function.
  package struct Row: Equatable, Sendable {
    /// The function.
    package var frame: Profile.Frame
    /// What it cost before, a run.
    package var before: Double
    /// What it costs now, a run.
    package var now: Double
    /// The change's interval at 95 %: nil of what is exact.
    package var interval: Interval?

    /// What it costs more now.
    package var change: Double { now - before }

    /// Whether it is told from chance.
    package var isClear: Bool {
      interval.map { $0.low > 0 || $0.high < 0 } ?? (change != 0)
    }
  }

  /// Whose a cost is.
  package enum Blame: Sendable {
    /// The function's that is at work.
    case function
    /// The program's or library's function for which it is done: what the runtimes, the C library and the
    /// kernel do is their caller's.
    case site
  }

  /// How one speed is found.
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
  /// By how much everything took longer now, which was divided out; 1 of what is exact.
  package let speed: Double
  /// What a run of the phase cost before, and costs now, at one speed.
  package let (before, now): (Double, Double)
  /// The functions, the one that grew most first.
  package let rows: [Row]

  /// Compares two profiles of the same phase.
  ///
  /// - Parameter indices: which of the measures, that both have, are added up.
  package init(
    from old: Profile, to new: Profile, measures indices: [Int] = [0], by blame: Blame = .function,
    speed: Speed = .common
  ) {
    let measure = new.measures[indices[0]]
    let costs = [old, new].map { $0.costs(indices, by: blame) }
    let runs = [old, new].map { Double(max($0.facts.runs, 1)) }
    let wholes = zip(costs, runs).map { $0.values.reduce(0, +) / $1 }
    let factor =
      measure.sample == nil ? 1 : Self.factor(costs, runs, wholes: wholes, by: speed)
    self.measure = measure
    self.speed = factor
    (before, now) = (wholes[0], wholes[1] / factor)
    rows = Set(costs[0].keys).union(costs[1].keys).map { frame in
      let (then, today) = (costs[0][frame, default: 0], costs[1][frame, default: 0])
      var row = Row(frame: frame, before: then / runs[0], now: today / runs[1] / factor)
      if let sample = measure.sample {
        // Samples fall into a function independently of each other, so that their number varies by
        // Poisson's law; one more stands for what was never met.
        let error =
          ((then / sample + 1) * pow(sample / runs[0], 2)
          + (today / sample + 1) * pow(sample / runs[1] / factor, 2)).squareRoot()
        row.interval = Interval(low: row.change - 1.96 * error, high: row.change + 1.96 * error)
      }
      return row
    }.sorted {
      $0.change != $1.change ? $0.change > $1.change : $0.frame.name < $1.frame.name
    }
  }

  private static func factor(
    _ costs: [[Profile.Frame: Double]], _ runs: [Double], wholes: [Double], by speed: Speed
  ) -> Double {
    switch speed {
    case .given: return 1
    case .ratio(let ratio):
      let factor = wholes[0] > 0 && ratio > 0 ? wholes[1] / wholes[0] / ratio : 1
      return factor > 0 ? factor : 1
    case .common: return common(costs, runs, wholes)
    }
  }

  /// The median of the functions' ratios, each weighted by its cost, none with more than a twentieth of
  /// the whole: one large function must not pass its own change off as the machine's.
  private static func common(
    _ costs: [[Profile.Frame: Double]], _ runs: [Double], _ wholes: [Double]
  ) -> Double {
    let most = min(wholes[0], wholes[1]) / 20
    let ratios = costs[0].compactMap { frame, then -> (ratio: Double, weight: Double)? in
      guard let today = costs[1][frame], then > 0, today > 0 else { return nil }
      let (then, now) = (then / runs[0], today / runs[1])
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

extension Profile {
  /// Costs of all runs together, by function or site.
  fileprivate func costs(
    _ measures: [Int], by blame: ProfileDifference.Blame
  ) -> [Frame: Double] {
    stacks.reduce(into: [:]) { costs, stack in
      let total = stack.total
      let value = measures.reduce(0) { $0 + total[$1] }
      guard value != 0 else { return }
      costs[blamed(stack.frames, blame), default: 0] += value
    }
  }

  private func blamed(_ path: [Int], _ blame: ProfileDifference.Blame) -> Frame {
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
