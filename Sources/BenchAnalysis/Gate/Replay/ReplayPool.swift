import BenchResults

/// Recorded pairs from which suites are drawn: the turns of two paired records.
///
/// A turn keeps the rows of its cell together, since what happens to the machine happens to all.
/// Turns in which a row or the control has no ratio are left out, and so are cells without judged
/// times.
public struct ReplayPool: Sendable {
  let cells: [PairedCell]

  /// Takes the turns of two records; nil where they are not the two sides of one gate or hold no
  /// whole turn.
  public init?(
    candidate: RunRecord, baseline: RunRecord, tolerances: Tolerances = Tolerances()
  ) {
    guard
      let test = SequentialTest(
        candidate: candidate, baseline: baseline, tolerances: tolerances)
    else { return nil }
    self.init(test.screening.cells.map(\.source))
  }

  /// Takes the whole turns of cells.
  init?(_ cells: [PairedCell]) {
    self.cells = cells.map(\.wholeTurns).filter { !$0.rows.isEmpty && $0.turns > 0 }
    guard !self.cells.isEmpty else { return nil }
  }

  /// How many turns every cell has to draw from.
  public var turns: [Cell: Int] {
    Dictionary(cells.map { ($0.cell, $0.turns) }) { first, _ in first }
  }

  /// The rows that are judged.
  public var rows: [Series.Key] { cells.flatMap { $0.rows.map(\.key) } }
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

  /// The cell as if these turns had been measured, one after the other; the control has no key.
  func picking(
    _ picked: [Int], value: (Double, Int, Series.Key?) -> Double
  ) -> PairedCell {
    func pick(_ differences: [Double?], _ key: Series.Key?) -> [Double?] {
      picked.enumerated().map { place, turn in differences[turn].map { value($0, place, key) } }
    }
    var cell = self
    for index in rows.indices {
      cell.rows[index].differences = pick(rows[index].differences, rows[index].key)
    }
    cell.control = control.map { pick($0, nil) }
    (cell.turns, cell.isStopped) = (picked.count, false)
    return cell
  }
}
