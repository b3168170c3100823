import Basics
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
package struct Replay: Sendable {
  /// What one replayed gate came to.
  package struct Suite: Equatable, Sendable {
    /// The verdict of every row.
    package var verdicts: [Series.Key: Verdict]
    /// How many pairs each cell took until decided or capped, those of a confirmation counted.
    package var pairs: [Cell: Int]
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
  package init(
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
  package func suite(seed: UInt64) -> Suite {
    var generator = SplitMix64(seed: seed)
    let test = SequentialTest(drawn(&generator), plan: plan)
    let rows = test.verdicts { _, _ in .wide(smallestChange: 1) }
    return Suite(verdicts: rows.compactMapValues(\.verdict), pairs: test.pairs)
  }

  /// Counts what so many suites come to.
  ///
  /// - Parameter seed: of the first; each further one has the next.
  package func tally(of suites: Int, seed: UInt64) -> ReplayTally {
    var tally = ReplayTally(expected: changed)
    for number in 0..<suites { tally.add(suite(seed: seed &+ UInt64(number))) }
    return tally
  }

  /// The cells with all the turns that a gate could ask for.
  func drawn(_ generator: inout SplitMix64) -> [PairedCell] {
    let turns = (plan.screening.last ?? 0) + plan.confirmation
    return cells.map { cell in
      let picked = (0..<turns).map { _ in generator.below(cell.turns) }
      let isSwapped = (0..<turns).map { _ in generator.next() & 1 == 1 }
      return cell.picking(picked) { difference, place, key in
        let isChanged = key.map { $0.isOfPhase(amongst: changed) } ?? false
        return isSwapped[place] && !isChanged ? -difference : difference
      }
    }
  }
}

/// Recorded pairs from which suites are drawn: the turns of two paired records.
///
/// A turn keeps the rows of its cell together, since what happens to the machine happens to all.
/// Turns in which a row or the control has no ratio are left out, and so are cells without judged
/// times.
package struct ReplayPool: Sendable {
  let cells: [PairedCell]

  /// Takes the turns of two records; nil where they are not the two sides of one gate or hold no
  /// whole turn.
  package init?(
    candidate: RunRecord, baseline: RunRecord, tolerances: Tolerances = Tolerances()
  ) {
    guard
      let test = SequentialTest(
        candidate: candidate, baseline: baseline, tolerances: tolerances)
    else { return nil }
    self.init(test.screening.cells)
  }

  /// Takes the whole turns of cells.
  init?(_ cells: [PairedCell]) {
    self.cells = cells.map(\.wholeTurns).filter { !$0.rows.isEmpty && $0.turns > 0 }
    guard !self.cells.isEmpty else { return nil }
  }

  /// How many turns every cell has to draw from.
  package var turns: [Cell: Int] {
    Dictionary(cells.map { ($0.cell, $0.turns) }) { first, _ in first }
  }

  /// The rows that are judged.
  package var rows: [Series.Key] { cells.flatMap { $0.rows.map(\.key) } }
}

extension PairedCell {
  /// The cell with the turns alone of which every row has a ratio.
  fileprivate var wholeTurns: PairedCell {
    let whole = (0..<turns).filter { turn in
      (rows.map(\.differences) + [control].compactMap { $0 }).allSatisfy {
        turn < $0.count && $0[turn] != nil
      }
    }
    return picking(whole) { difference, _, _ in difference }
  }

  /// The cell as if these turns had been measured, one after the other, and none looked at yet; the
  /// control has no key.
  func picking(
    _ picked: [Int], value: (Double, Int, Series.Key?) -> Double
  ) -> PairedCell {
    func pick(_ differences: [Double?], _ key: Series.Key?) -> [Double?] {
      picked.enumerated().map { place, turn in differences[turn].map { value($0, place, key) } }
    }
    let rows = rows.map { row in
      PairedRow(
        key: row.key, metric: row.metric,
        differences: pick(row.differences, row.key), tolerance: row.tolerance, layout: row.layout,
        isAllZero: row.isAllZero, isSecondary: row.isSecondary)
    }
    return PairedCell(
      cell: cell, rows: rows, control: control.map { pick($0, nil) }, turns: picked.count)
  }
}

/// Counts what many replayed suites came to.
package struct ReplayTally: Equatable, Sendable {
  /// The rows with something injected, whose regression is a detection and no false alarm.
  package let expected: Set<Series.Key>
  /// Rows flagged as regressed with nothing injected into their phase, of all such.
  package private(set) var redRows = Rate()
  /// Rows flagged as improved with nothing injected into them, of all such.
  package private(set) var greenRows = Rate()
  /// Rows with nothing injected that stayed inconclusive, of all such.
  package private(set) var inconclusiveRows = Rate()
  /// Suites with a row in ``redRows``, of all.
  package private(set) var redSuites = Rate()
  /// Expected rows that were found regressed, of all such.
  package private(set) var detections = Rate()
  /// Pairs that each cell took, of all suites.
  package private(set) var pairs: [Cell: Int] = [:]
  /// How many times a cell took some.
  private var cells = 0

  package init(expected: Set<Series.Key> = []) { self.expected = expected }

  /// The mean number of pairs that a cell took; nil of none.
  package var meanPairs: Double? {
    cells > 0 ? Double(pairs.values.reduce(0, +)) / Double(cells) : nil
  }

  /// Counts one suite.
  package mutating func add(_ suite: Replay.Suite) {
    let (found, others) = (
      suite.verdicts.filter { expected.contains($0.key) }.values,
      suite.verdicts.filter { !$0.key.isOfPhase(amongst: expected) }.values
    )
    detections.add(found.count { $0 == .regressed }, of: found.count)
    let red = others.count { $0 == .regressed }
    redRows.add(red, of: others.count)
    greenRows.add(others.count { $0 == .improved }, of: others.count)
    inconclusiveRows.add(others.count(where: \.isInconclusive), of: others.count)
    redSuites.add(red > 0)
    pairs.merge(suite.pairs, uniquingKeysWith: +)
    cells += suite.pairs.count
  }
}

extension Series.Key {
  /// Whether it is of the same cell and phase as one of some rows: a mean moves with its median.
  fileprivate func isOfPhase(amongst rows: Set<Series.Key>) -> Bool {
    rows.contains { $0.phase == phase && $0.cell == cell }
  }
}

/// How often something happened, of how many times it could have.
package struct Rate: Equatable, Sendable {
  /// How often it happened.
  package private(set) var count = 0
  /// How often it could have.
  package private(set) var of = 0

  package init(count: Int = 0, of total: Int = 0) {
    self.count = count
    of = total
  }

  /// Counts several times at once.
  package mutating func add(_ count: Int, of total: Int) {
    self.count += count
    of += total
  }

  /// Counts one time.
  package mutating func add(_ happened: Bool) { add(happened ? 1 : 0, of: 1) }

  /// The share of 1; nil of nothing.
  package var share: Double? { of > 0 ? Double(count) / Double(of) : nil }

  /// The exact 95 % interval of the chance, by Clopper and Pearson; nil of nothing.
  package var interval: Interval? { Statistics.clopperPearson(successes: count, of: of) }
}
