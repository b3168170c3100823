import BenchResults
import Foundation

/// The planned looks at a suite, held one after the other from the first pair on.
///
/// At each look the level is 0.05 over the number of looks: four fifths of it for the rows that a change is
/// looked for in, one family of Holm's, and a fifth for the secondary ones, another, so that these cost the
/// others little of their power. Rows stay in the family once decided, with the p-value that decided them:
/// the family's size never depends on what the data showed, and by Bonferroni's inequality over looks,
/// families and rows a wrong suspicion anywhere in the suite is rarer than 1 in 20. Looks that were given
/// up for want of time are not held; their share of the level stays unused. A look is held when every open
/// cell has its pairs, those apart that will get no more. So what a look decides depends on the pairs
/// planned for it alone, and more data never unmakes it.
struct Screening: Sendable {
  private(set) var cells: [PairedCell]
  /// The cells without which the next look cannot be held, and how many pairs it needs of each.
  private(set) var awaited: [Cell: Int] = [:]
  /// The median movement of the cells' controls that is no real drift, in logarithms: the suite's own
  /// noise. Not the largest, which over many cells is itself mostly noise and would hide effects.
  private(set) var noise = 0.0

  private let looks: Int
  private let cap: Int

  init(_ cells: [PairedCell], plan: LookPlan) {
    self.cells = cells
    (looks, cap) = (plan.screening.count, plan.screening.last ?? 0)
    for pairs in plan.screening where pairs <= plan.ended ?? pairs {
      let open = self.cells.indices.filter { isOpen(self.cells[$0]) }
      let late = open.filter { cells[$0].turns < pairs && !cells[$0].isStopped }
      guard late.isEmpty else {
        awaited = Dictionary(late.map { (cells[$0].cell, pairs) }) { first, _ in first }
        break
      }
      hold(pairs, over: open.filter { cells[$0].turns >= pairs })
    }
  }

  /// Whether the next look needs more of a cell.
  func isOpen(_ cell: PairedCell) -> Bool { cell.isOpen(atMost: cap) }

  /// How many tests share the level with a row's, at the most: what a single p-value is multiplied by.
  func tests(of row: PairedRow) -> Double {
    let rows = cells.flatMap(\.rows)
    let family = rows.count { $0.isSecondary == row.isSecondary }
    return Double(family * looks) / Self.share(of: row, isAlone: family == rows.count)
  }

  /// The fewest pairs that can prove anything of a row that is not secondary.
  var fewestPairs: Int {
    guard let row = cells.flatMap(\.rows).first(where: { !$0.isSecondary }) else { return 1 }
    return LogRatio.blocksNeeded(tests: tests(of: row), isPaired: true)
  }

  /// A family's part of the level.
  private static func share(of row: PairedRow, isAlone: Bool) -> Double {
    isAlone ? 1 : row.isSecondary ? 0.2 : 0.8
  }

  private mutating func hold(_ pairs: Int, over reached: [Int]) {
    for index in cells.indices { cells[index].reset() }
    for index in reached { cells[index].take(pairs) }
    let moved = cells.compactMap(\.drift).filter { !$0.isReal }.map { abs($0.change) }
    noise = Statistics.median(moved) ?? 0
    let adjusted = adjusted()
    for index in reached { cells[index].decide(adjusted, noise: noise) }
  }

  /// The p-value of every row, adjusted for its family and all looks.
  private func adjusted() -> [Series.Key: Double] {
    let rows = cells.flatMap(\.rows)
    let families = Dictionary(grouping: rows, by: \.isSecondary).values
    return families.reduce(into: [:]) { found, family in
      let share = Self.share(of: family[0], isAlone: families.count == 1)
      for (row, p) in zip(family, Statistics.holm(family.map(\.p))) {
        found[row.key] = min(1, p * Double(looks) / share)
      }
    }
  }
}

extension PairedCell {
  /// An open row says nothing at a look that it does not reach.
  fileprivate mutating func reset() {
    for index in rows.indices where rows[index].state == .open { rows[index].p = 1 }
  }

  /// Takes the evidence of the first pairs into every open row.
  fileprivate mutating func take(_ pairs: Int) {
    screened = pairs
    drift = drift(0..<pairs)
    for index in rows.indices where rows[index].state == .open {
      let look = rows[index].look(0..<pairs, drift: drift)
      rows[index].looks.append(look)
      rows[index].p = look.evidence?.p ?? 1
    }
  }

  /// Decides the open rows as far as their newest look goes.
  fileprivate mutating func decide(_ adjusted: [Series.Key: Double], noise: Double) {
    for index in rows.indices where rows[index].state == .open {
      guard var look = rows[index].looks.popLast() else { continue }
      look.adjustedP = adjusted[rows[index].key] ?? 1
      look.floor.noise = noise
      rows[index].looks.append(look)
      rows[index].state =
        look.isSuspicious ? .suspected : look.isSettled ? .unchanged : .open
    }
  }
}

/// Finds the smallest change that a row's own pairs could have shown.
///
/// Every difference is moved by the same amount, so that their trimmed mean becomes the change in
/// question, and the row's looks are held again: test, interval, threshold, and the chance to have
/// been settled before. As Holm's adjustment never multiplies by more than the number of rows of a family,
/// that is what the test is multiplied by: whatever the other rows showed, a change of this size in
/// these data would have been suspected.
struct SmallestChange {
  private let row: PairedRow
  private let differences: [Double]
  private let center: Double
  /// What a single p-value is multiplied by at the most.
  private let tests: Double
  /// The most pairs that it could get.
  private let cap: Int

  /// Nil of a row that no look has evidence of.
  init?(_ row: PairedRow, tests: Double, atMost cap: Int) {
    guard let last = row.looks.last, let center = last.evidence?.estimate else { return nil }
    (self.row, self.center) = (row, center)
    differences = row.differences.prefix(last.pairs).compactMap { $0 }
    (self.tests, self.cap) = (tests, cap)
  }

  /// The natural logarithm of the change, found by bisection, the worse of both directions; nil
  /// where no change at all could have been shown by so few pairs.
  func find() -> Double? {
    guard let up = find(direction: 1), let down = find(direction: -1) else { return foundByCap }
    return max(up, down)
  }

  /// What all pairs would show by the noise of those that there are, of a row that got no more since none would have
  /// settled it: a change so large would have had them. By Student's t at the level of one test.
  private var foundByCap: Double? {
    guard let last = row.looks.last, last.pairs < cap,
      let error = Statistics.trimmedMeanError(differences),
      let reach = Statistics.studentT(1 - Judge.alpha / tests, cap - 1)
    else { return nil }
    return max(
      last.floor.flagged, reach * error * (Double(last.pairs) / Double(cap)).squareRoot())
  }

  private func find(direction: Double) -> Double? {
    let reach = reach
    guard isFlagged(direction * reach) else { return nil }
    // Clear of the rounding of logarithms and their inverse.
    return Statistics.bisection(0, reach, precision: 1e-7) { isFlagged(direction * $0) } + 1e-9
  }

  /// A change that puts every pair, interval and estimate far on one side.
  private var reach: Double {
    let widest = differences.map { abs($0 - center) }.max() ?? 0
    return 2 * widest + (row.looks.map(\.floor.flagged).max() ?? 0) + 1
  }

  private func isFlagged(_ change: Double) -> Bool {
    let shift = change - center
    for look in row.looks {
      guard let moved = moved(look, by: shift) else { continue }
      if moved.isSuspicious { return (moved.evidence?.estimate ?? 0) * change > 0 }
      // No further look, then, unless another row of the cell had it.
      if moved.isSettled || !row.wantsPairs(after: moved, atMost: cap) { return false }
    }
    return false
  }

  /// An estimate and its interval move with the data; the test is made anew.
  private func moved(_ look: RowLook, by shift: Double) -> RowLook? {
    guard let evidence = look.evidence,
      let p = Statistics.signFlip(differences.prefix(look.pairs).map { $0 + shift })
    else { return nil }
    var moved = look
    moved.adjustedP = min(1, p * tests)
    moved.evidence?.p = p
    moved.evidence?.estimate = evidence.estimate + shift
    moved.evidence?.interval = evidence.interval.map { $0 + shift }
    return moved
  }
}
