import BenchResults

/// When a gate could look at its pairs: what gates replayed by such a plan come to, and how long they take.
package struct ScheduleTrial: Sendable {
  /// The plans that are tried: the gate's own first, then a single look, fewer looks, and more pairs.
  package static let looks = [
    LookPlan().screening, [12], [20], [32], [12, 32], [8, 16, 32], [12, 20, 32, 52],
  ]

  /// Pairs that a cell has at each look.
  package let looks: [Int]
  /// What gates with nothing changed came to.
  package let unchanged: ReplayTally
  /// How many of the phases that were slowed down were found.
  package let found: Rate
  /// Seconds that measuring took of each gate with nothing changed; nil where a cell's are unknown.
  package let seconds: Double?

  /// Replays so many gates of one plan, with nothing changed and with each of the slowdowns.
  ///
  /// - Parameters:
  ///   - pool: Pairs with nothing changed.
  ///   - slowed: Pairs of cells with a phase slowed down, and the row that it must be found in.
  ///   - secondsPerPair: What a pair of each cell took.
  ///   - seed: of the first gate; all plans of one seed have the same draws.
  package init(
    looks: [Int], pool: ReplayPool, slowed: [(pool: ReplayPool, row: Series.Key)],
    secondsPerPair: [Cell: Double], suites: Int, seed: UInt64
  ) {
    self.looks = looks
    let plan = LookPlan(screening: looks)
    let unchanged = Replay(pool: pool, plan: plan).tally(of: suites, seed: seed)
    self.unchanged = unchanged
    found = slowed.reduce(into: Rate()) { found, slowed in
      let replay = Replay(pool: pool, injected: slowed.pool, changed: [slowed.row], plan: plan)
      let detections = replay.tally(of: suites, seed: seed).detections
      found.add(detections.count, of: detections.of)
    }
    let sum = unchanged.pairs.reduce(0) { sum, each -> Double? in
      guard let sum, let seconds = secondsPerPair[each.key] else { return nil }
      return sum + seconds * Double(each.value)
    }
    seconds = suites > 0 ? sum.map { $0 / Double(suites) } : nil
  }

  /// The verdicts of a gate with nothing changed that are not `inconclusive`, on average; nil of no gate.
  package var decided: Double? {
    let gates = unchanged.redSuites.of
    guard gates > 0 else { return nil }
    return Double(unchanged.redRows.of - unchanged.inconclusiveRows.count) / Double(gates)
  }

  /// How many it decides in a minute of measuring; nil if unknown.
  package var decidedPerMinute: Double? {
    guard let decided, let seconds, seconds > 0 else { return nil }
    return decided / seconds * 60
  }
}

extension RunRecord {
  /// What a pair of blocks took of each cell that noted it, in seconds.
  package var secondsPerPair: [Cell: Double] {
    Dictionary(
      outcomes.compactMap { outcome -> (Cell, Double)? in
        guard let seconds = outcome.seconds, outcome.timedBlocks > 0 else { return nil }
        return (outcome.cell, seconds / Double(outcome.timedBlocks))
      }
    ) { first, _ in first }
  }
}
