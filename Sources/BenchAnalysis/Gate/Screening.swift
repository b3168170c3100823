import BenchResults
import Foundation

/// The planned interim analyses of a suite, in order from the first pair on.
///
/// Each analysis has the level 0.05 divided by the number of analyses. Primary rows get four fifths
/// of it and secondary rows a fifth, so that these cost the primary ones little power. Holm's
/// method adjusts each of these two families. A decided row stays in its family with the p-value
/// that decided it, so the family's size never depends on the data. By Bonferroni's inequality over
/// analyses, families and rows, a wrong suspicion anywhere in the suite is rarer than 1 in 20. An
/// analysis that is given up for lack of time leaves its share of the level unused. An analysis
/// takes place when every open cell has its pairs, except cells that get no more. So its decisions
/// depend on its planned pairs alone, and later data never revokes them.
struct Screening: Sendable {
  private(set) var cells: [PairedCell]
  /// The cells that the next analysis waits for, and how many pairs each needs in all.
  private(set) var awaited: [Cell: Int] = [:]
  /// The suite's own noise: the median movement of the controls without real drift, as a natural
  /// logarithm. The largest of many movements is mostly noise itself and would hide effects.
  private(set) var noise = 0.0

  private let looks: Int
  private let cap: Int

  init(_ cells: [PairedCell], plan: InterimPlan) {
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

  /// Whether the next analysis needs more pairs of a cell.
  func isOpen(_ cell: PairedCell) -> Bool { cell.isOpen(atMost: cap) }

  /// Returns the largest factor for a row's p-value: how many tests share its level.
  func tests(of row: PairedRow) -> Double {
    let rows = cells.flatMap(\.rows)
    let family = rows.count { $0.isSecondary == row.isSecondary }
    return Double(family * looks) / Self.share(of: row, isAlone: family == rows.count)
  }

  /// The fewest pairs that can prove an effect on a primary row.
  var fewestPairs: Int {
    guard let row = cells.flatMap(\.rows).first(where: { !$0.isSecondary }) else { return 1 }
    return LogRatio.blocksNeeded(tests: tests(of: row), isPaired: true)
  }

  /// Returns a family's share of the level.
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

  /// Returns the p-value of every row, adjusted for its family and all analyses.
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
  /// Resets open rows, which have no evidence in an analysis that they do not reach.
  fileprivate mutating func reset() {
    for index in rows.indices where rows[index].state == .open { rows[index].p = 1 }
  }

  /// Adds the evidence of the first pairs to every open row.
  fileprivate mutating func take(_ pairs: Int) {
    screened = pairs
    drift = drift(0..<pairs)
    for index in rows.indices where rows[index].state == .open {
      let look = rows[index].look(0..<pairs, drift: drift)
      rows[index].looks.append(look)
      rows[index].p = look.evidence?.p ?? 1
    }
  }

  /// Decides the open rows by their newest analysis.
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
/// Every difference is shifted by the same amount, so that the trimmed mean becomes the change in
/// question. Then the row's analyses are repeated: test, interval, threshold, and the chance to
/// settle earlier. Holm's method multiplies a p-value by at most the size of its family, and
/// `tests` uses that bound. So a change of this size in these data would have been suspected,
/// whatever the other rows showed.
struct SmallestChange {
  private let row: PairedRow
  private let differences: [Double]
  private let center: Double
  /// The largest factor that multiplies a single p-value.
  private let tests: Double
  /// The largest number of pairs that the row could get.
  private let cap: Int

  /// Returns nil if the row's last analysis has no evidence.
  init?(_ row: PairedRow, tests: Double, atMost cap: Int) {
    guard let last = row.looks.last, let center = last.evidence?.estimate else { return nil }
    (self.row, self.center) = (row, center)
    differences = row.differences.prefix(last.pairs).compactMap { $0 }
    (self.tests, self.cap) = (tests, cap)
  }

  /// Returns the natural logarithm of the change, found by bisection, the larger of both
  /// directions. Nil if so few pairs could not have shown any change.
  func find() -> Double? {
    guard let up = find(direction: 1), let down = find(direction: -1) else { return foundByCap }
    return max(up, down)
  }

  /// The change that `cap` pairs would show, by the noise of the existing pairs and Student's t at
  /// the level of one test. A row that got no more pairs, since they would not have settled it,
  /// would have got them after a change of this size.
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
    // The margin covers the rounding errors of logarithms and their inverse.
    return Statistics.bisection(0, reach, precision: 1e-7) { isFlagged(direction * $0) } + 1e-9
  }

  /// A change that puts every pair, interval and estimate clearly on one side.
  private var reach: Double {
    let widest = differences.map { abs($0 - center) }.max() ?? 0
    return 2 * widest + (row.looks.map(\.floor.flagged).max() ?? 0) + 1
  }

  private func isFlagged(_ change: Double) -> Bool {
    let shift = change - center
    for look in row.looks {
      guard let moved = moved(look, by: shift) else { continue }
      if moved.isSuspicious { return (moved.evidence?.estimate ?? 0) * change > 0 }
      // No further analysis follows then, unless another row keeps the cell open.
      if moved.isSettled || !row.wantsPairs(after: moved, atMost: cap) { return false }
    }
    return false
  }

  /// Shifts the estimate and its interval, and repeats the test on the shifted differences.
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
