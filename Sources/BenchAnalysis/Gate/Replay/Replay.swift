import BenchResults

/// Replays a gate on recorded pairs, so that thousands of its verdicts can be had from one recording.
///
/// For every turn of a cell a recorded one is drawn with replacement, and a fair coin swaps its
/// sides: whatever the two executables are, nothing differs between the sides then, so that every
/// flag is a false alarm. Cells may be drawn from another pool, with something injected into a phase
/// of the candidate: the rows of that phase are not swapped, and a flag there is a detection.
///
/// Every cell gets as many turns as a gate could ask for; the test looks at those that it would have
/// asked for and at no others, which is the same as drawing more as it asks.
public struct Replay: Sendable {
  /// What one replayed gate came to.
  public struct Suite: Hashable, Sendable {
    /// The verdict of every row.
    public var verdicts: [Series.Key: Verdict]
    /// How many pairs each cell took until decided or capped, those of a confirmation counted.
    public var pairs: [Cell: Int]
  }

  private let cells: [PairedCell]
  private let changed: Set<Series.Key>
  private let plan: LookPlan

  /// Prepares to draw suites.
  ///
  /// - Parameters:
  ///   - pool: Pairs of which neither side was changed.
  ///   - injected: Pairs of those cells whose candidate was changed; nil to change none.
  ///   - changed: The rows into which something was injected.
  ///   - plan: When the replayed gate looks.
  public init(
    pool: ReplayPool, injected: ReplayPool? = nil, changed: Set<Series.Key> = [],
    plan: LookPlan = LookPlan()
  ) {
    let others = Dictionary((injected?.cells ?? []).map { ($0.cell, $0) }) { first, _ in first }
    cells = pool.cells.map { others[$0.cell] ?? $0 }
    self.changed = changed
    self.plan = plan.checked
  }

  /// Draws the suite that belongs to a seed and gives its verdicts; an open row's smallest change is
  /// not worked out and stands at 1.
  public func suite(seed: UInt64) -> Suite {
    var generator = SplitMix64(seed: seed)
    let test = SequentialTest(drawn(&generator), plan: plan)
    let rows = test.verdicts { _, _ in .wide(smallestChange: 1) }
    return Suite(verdicts: rows.compactMapValues(\.verdict), pairs: test.pairs)
  }

  /// The cells with all the turns that a gate could ask for.
  func drawn(_ generator: inout SplitMix64) -> [PairedCell] {
    let turns = (plan.screening.last ?? 0) + plan.confirmation
    return cells.map { cell in
      let picked = (0..<turns).map { _ in generator.index(below: cell.turns) }
      let isSwapped = (0..<turns).map { _ in generator.next() & 1 == 1 }
      return cell.picking(picked) { difference, place, key in
        let isChanged = key.map(changed.contains) ?? false
        return isSwapped[place] && !isChanged ? -difference : difference
      }
    }
  }
}
