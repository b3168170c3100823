import BenchResults
import Foundation

extension SequentialTest {
  /// Every judged row with its verdict, at any point: what is not decided is inconclusive, and why.
  ///
  /// The ratio and interval are those on which the verdict rests: of the look that decided, of the
  /// last look of an open row, of the fresh pairs alone of a suspected one.
  public func rows() -> [Series.Key: RowComparison] {
    verdicts { cell, row in open(row, cell) }
  }

  /// The rows; what an open one comes to is left to the caller, as the smallest change takes longer
  /// to find than all the rest.
  func verdicts(
    open: (ScreenedCell, ScreenedRow) -> Doubt
  ) -> [Series.Key: RowComparison] {
    var rows: [Series.Key: RowComparison] = [:]
    for cell in screening.cells {
      for row in cell.rows {
        rows[row.source.key] =
          switch row.state {
          case .unchanged: comparison(row, row.looks.last, .unchanged)
          case .suspected: suspected(row)
          case .open where row.source.isAllZero: comparison(row, nil, .unchanged)
          case .open: comparison(row, seen(row, cell), .inconclusive(open(cell, row)))
          }
      }
    }
    return rows
  }

  /// The last look, or all pairs of a row that no look was held over.
  private func seen(_ row: ScreenedRow, _ cell: ScreenedCell) -> RowLook? {
    row.looks.last
      ?? RowLook(
        pairs: cell.source.turns, evidence: row.source.evidence(0..<cell.source.turns),
        floor: EffectFloor(noise: screening.noise, tolerance: row.source.tolerance))
  }

  private func comparison(
    _ row: ScreenedRow, _ look: RowLook?, _ verdict: Verdict
  ) -> RowComparison {
    var result = RowComparison(baselineP50: row.source.baselineP50, verdict: verdict)
    guard let look, let evidence = look.evidence else { return result }
    result.ratio = exp(evidence.estimate)
    result.interval = Interval(
      low: exp(evidence.interval.low), high: exp(evidence.interval.high))
    result.adjustedP = row.looks.isEmpty ? nil : look.adjustedP
    result.threshold = exp(look.floor.flagged)
    return result
  }

  private func suspected(_ row: ScreenedRow) -> RowComparison {
    let suspect = confirmation.suspects[row.source.key]
    let suspicion = row.looks.last
    let estimate = suspicion?.evidence?.estimate ?? 0
    let doubt = Doubt.unconfirmed(
      suspected: exp(estimate), fresh: suspect?.fresh ?? 0, need: confirmation.need)
    guard confirmation.isHeld, let look = suspect?.look, let evidence = look.evidence else {
      return comparison(row, suspicion, .inconclusive(doubt))
    }
    if let drift = look.drift, drift.isReal {
      return comparison(row, look, .inconclusive(.drift(exp(drift.change))))
    }
    let agrees = look.isSuspicious && evidence.estimate * estimate > 0
    return comparison(
      row, look,
      agrees ? Judge.direction(evidence, row.source.metric) : .inconclusive(doubt))
  }

  /// Why an open row is not decided.
  private func open(_ row: ScreenedRow, _ cell: ScreenedCell) -> Doubt {
    guard let last = row.looks.last else {
      let have = min(row.source.differences.count, cell.source.turns)
      return .blocks(have: have, need: plan.screening.first ?? 1)
    }
    if let drift = last.drift, drift.isReal { return .drift(exp(drift.change)) }
    guard last.evidence != nil else {
      let have = row.source.differences.count
      return have < last.pairs ? .blocks(have: have, need: last.pairs) : .noRatio
    }
    let looks = plan.screening.count
    let smallest = SmallestChange(row, rows: screening.familySize, looks: looks)?.find()
    guard let smallest else {
      let level = Judge.alpha / Double(looks)
      return .blocks(
        have: last.pairs,
        need: LogRatio.blocksNeeded(family: screening.familySize, design: .paired, alpha: level))
    }
    return .wide(smallestChange: exp(smallest))
  }
}

extension SequentialTest {
  /// How far every cell's control moved, of the cells that a look was held over and that have one;
  /// where fresh pairs were looked at, the larger of both movements that were real.
  var drifts: [Cell: Drift] {
    let all = screening.cells.compactMap { cell in cell.drift.map { (cell.source.cell, $0) } }
    var drifts = Dictionary(all) { first, _ in first }
    guard confirmation.isHeld else { return drifts }
    for (key, suspect) in confirmation.suspects {
      if let drift = suspect.look?.drift, drift.isReal { drifts[key.cell] = drift }
    }
    return drifts
  }

  /// The cells with judged rows and without a control on both sides.
  var uncontrolled: [Cell] {
    screening.cells.filter { cell in
      let isLost = cell.screened != nil && cell.drift == nil
      return !cell.rows.isEmpty && (cell.source.control == nil || isLost)
    }.map(\.source.cell)
  }
}
