import Foundation

/// Finds the smallest change that a row's own pairs could have shown.
///
/// Every difference is moved by the same amount, so that their median becomes the change in
/// question, and the row's looks are held again: test, interval, threshold, and the chance to have
/// been settled before. As Holm's adjustment never multiplies by more than the number of rows, that
/// is what the test is multiplied by: whatever the other rows showed, a change of this size in these
/// data would have been suspected.
struct SmallestChange {
  private let row: ScreenedRow
  private let differences: [Double]
  private let center: Double
  /// What a single probability is multiplied by: rows times looks.
  private let tests: Double

  /// Nil of a row that no look has evidence of.
  init?(_ row: ScreenedRow, rows: Int, looks: Int) {
    guard let last = row.looks.last, let center = last.evidence?.estimate else { return nil }
    self.row = row
    self.center = center
    differences = row.source.differences.prefix(last.pairs).compactMap { $0 }
    tests = Double(rows) * Double(looks)
  }

  /// The natural logarithm of the change, found by bisection, the worse of both directions; nil
  /// where no change at all could have been shown by so few pairs.
  func find() -> Double? {
    guard let up = find(direction: 1), let down = find(direction: -1) else { return nil }
    return max(up, down)
  }

  private func find(direction: Double) -> Double? {
    var (low, high) = (0.0, reach)
    guard isFlagged(direction * high) else { return nil }
    while high - low > 1e-7 {
      let middle = (low + high) / 2
      guard low < middle, middle < high else { break }
      if isFlagged(direction * middle) { high = middle } else { low = middle }
    }
    // Clear of the rounding of logarithms and their inverse.
    return high + 1e-9
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
      if moved.isSettled { return false }
    }
    return false
  }

  /// A median and its interval move with the data; the test is made anew.
  private func moved(_ look: RowLook, by shift: Double) -> RowLook? {
    guard let evidence = look.evidence,
      let p = Statistics.signFlip(differences.prefix(look.pairs).map { $0 + shift })
    else { return nil }
    var moved = look
    moved.adjustedP = min(1, p * tests)
    moved.evidence?.estimate = evidence.estimate + shift
    moved.evidence?.interval = Interval(
      low: evidence.interval.low + shift, high: evidence.interval.high + shift)
    return moved
  }
}
