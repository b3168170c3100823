import BenchResults
import Foundation

/// The sequential test of a gate's times: decides what to measure next, and judges the pairs so far.
///
/// It is a pure function of both sides' records, so a running gate and a stored run get the same verdicts. Screening
/// analyses growing numbers of pairs until every row is unchanged or suspected, or the cap is reached. It spends no
/// level. Then the suspected cells get fresh pairs, and one test judges all their pairs together: Wilcoxon's, by
/// Holm's method among all judged times of the suite. The fresh pairs must agree in sign and size. `GateRateTests`
/// simulates how often gates without a change are red.
package struct SequentialTest: Sendable {
  /// The next measurement: how many pairs each cell must have, including those it has.
  package enum Step: Equatable, Sendable {
    /// Pairs for the next planned interim analysis.
    case screening([Cell: Int])
    /// Fresh pairs of cells with a suspected row.
    case confirmation([Cell: Int])
    /// Nothing: more pairs would not change a verdict.
    case done
  }

  /// The version of the rules for measuring and judging times in a gate. Every change that moves
  /// verdicts raises it: `scripts/lab` results of other versions do not apply to this one.
  package static let rules = 7

  private(set) var cells: [PairedCell]
  package private(set) var nextStep = Step.done
  let plan: InterimPlan
  /// Whether no interim analysis is left, so that suspects are judged.
  private var isScreened = false

  /// Analyses two records, or nil if they are not the two sides of one gate.
  ///
  /// A cell is not awaited if it failed on a side, or if an outcome is failed, interrupted or ended by
  /// the budget. If the machines differ there is nothing to test. Menus that differ are left out.
  package init?(
    candidate: RunRecord, baseline: RunRecord, tolerances: Tolerances = Tolerances()
  ) {
    guard let pairing = candidate.pairing, pairing.id == baseline.pairing?.id else { return nil }
    let plan = pairing.looks.checked
    let comparability = Comparability(candidate: candidate, baseline: baseline)
    let records = GateRecords(
      candidate: candidate, baseline: baseline, tolerances: tolerances,
      firstLook: plan.screening.first ?? 0)
    let cells =
      comparability.comparesTimes
      ? records.cells(differentMenus: Set(comparability.differentMenus)) : []
    self.init(cells, plan: plan)
  }

  /// Analyses pairs; the plan must be a checked one.
  init(_ cells: [PairedCell], plan: InterimPlan) {
    (self.cells, self.plan) = (cells, plan)
    let looks = plan.screening.filter { $0 <= plan.ended ?? $0 }
    for pairs in looks {
      let open = cells.indices.filter { self.cells[$0].isOpen(atMost: plan.screening.last ?? 0) }
      let late = open.filter { !hasPairs($0, pairs) && !cells[$0].isStopped }
      guard late.isEmpty else {
        nextStep = .screening(need(late) { self.cells[$0].isShown ? Self.shown : pairs })
        return
      }
      for index in open where hasPairs(index, pairs) {
        self.cells[index].analysed = min(pairs, cells[index].turns)
        let areAlike = self.cells[index].areAlike(pairs)
        for row in self.cells[index].rows.indices {
          self.cells[index].rows[row].analyse(
            pairs, areAlike: areAlike, isLast: pairs == looks.last)
        }
      }
    }
    isScreened = true
    let late = cells.indices.filter {
      self.cells[$0].isSuspected && !isConfirmable(self.cells[$0]) && !cells[$0].isStopped
    }
    if !late.isEmpty { nextStep = .confirmation(need(late) { all(self.cells[$0]) }) }
    for index in cells.indices where isConfirmable(self.cells[index]) { takeFreshPairs(of: index) }
  }

  /// The pairs of a cell whose times are only shown.
  private static let shown = MeanSum.fewest

  private func hasPairs(_ index: Int, _ pairs: Int) -> Bool {
    cells[index].turns >= (cells[index].isShown ? min(pairs, Self.shown) : pairs)
  }

  private func need(_ late: [Int], _ pairs: (Int) -> Int) -> [Cell: Int] {
    Dictionary(late.map { (cells[$0].cell, pairs($0)) }) { first, _ in first }
  }

  /// How many pairs a cell has after its confirmation.
  private func all(_ cell: PairedCell) -> Int { (cell.analysed ?? 0) + plan.confirmation }

  private func isConfirmable(_ cell: PairedCell) -> Bool {
    isScreened && cell.isSuspected && cell.turns >= all(cell)
  }

  /// Lets all pairs speak for every row of a cell that is not decided yet.
  private mutating func takeFreshPairs(of index: Int) {
    let pairs = all(cells[index])
    let areAlike = cells[index].areAlike(pairs)
    for row in cells[index].rows.indices where cells[index].rows[row].state != .unchanged {
      cells[index].rows[row].look = cells[index].rows[row].look(0..<pairs, areAlike: areAlike)
    }
  }

  /// The number of pairs of every cell behind the verdicts, including a confirmation's.
  package var pairs: [Cell: Int] {
    Dictionary(
      cells.map { ($0.cell, isConfirmable($0) ? all($0) : $0.analysed ?? 0) }
    ) { first, _ in first }
  }

  /// Returns every judged row with its verdict, at any point. An undecided row is inconclusive, with a
  /// reason. A second look only has a verdict that proves a change.
  package func rows() -> [Series.Key: RowComparison] {
    let adjusted = adjusted
    var rows: [Series.Key: RowComparison] = [:]
    for cell in cells {
      for row in cell.rows { rows[row.key] = comparison(row, cell, adjusted[row.key]) }
    }
    return rows
  }

  /// The p-values of suspected rows with all their pairs, adjusted for all judged rows.
  private var adjusted: [Series.Key: Double] {
    let rows = cells.flatMap { cell in
      cell.rows.map { row in
        (row.key, row.state == .suspected && isConfirmable(cell) ? row.look?.evidence?.p ?? 1 : 1)
      }
    }
    return Dictionary(zip(rows.map(\.0), Statistics.holm(rows.map(\.1)))) { first, _ in first }
  }

  private func comparison(
    _ row: PairedRow, _ cell: PairedCell, _ adjustedP: Double?
  ) -> RowComparison {
    let look = row.look ?? row.look(0..<cell.turns)
    var result = RowComparison(baselineP50: Statistics.median(row.baseline))
    if row.isAllZero {
      result.verdict = row.isSecondLook ? nil : .unchanged
      return result
    }
    if let evidence = look.evidence {
      result.show(evidence, row.floor)
      result.pairs = look.pairs
      result.paired = look.baseline.flatMap { then in
        result.ratio.map { RowComparison.Figures(baseline: then, now: then * $0) }
      }
    }
    if row.state == .suspected, isConfirmable(cell) { result.adjustedP = adjustedP }
    let verdict = verdict(row, cell, look, adjustedP ?? 1)
    let isProof = [.regressed, .improved].contains(verdict)
    result.verdict = row.isSecondLook && !isProof ? nil : verdict
    return result
  }

  private func verdict(
    _ row: PairedRow, _ cell: PairedCell, _ look: RowLook, _ adjustedP: Double
  ) -> Verdict {
    if row.state == .unchanged { return .unchanged }
    guard cell.analysed != nil else {
      return .inconclusive(.blocks(have: cell.turns, need: plan.screening.first ?? 1))
    }
    guard let evidence = look.evidence else {
      let have = row.differences.count
      return .inconclusive(
        have < look.pairs ? .blocks(have: have, need: look.pairs) : .noRatio)
    }
    guard isConfirmable(cell) else { return .inconclusive(Judge.doubt(evidence, row.metric)) }
    let fresh = row.differences.evidence((cell.analysed ?? 0)..<all(cell))
    if row.state == .suspected, row.isProven(adjustedP, fresh: fresh) {
      return Judge.direction(evidence, row.metric)
    }
    return Judge.settles(evidence, row.floor)
      ? .unchanged : .inconclusive(Judge.doubt(evidence, row.metric))
  }

  /// What a change gives that is added to each judged time alone, in the pairs that it has.
  package struct Planted: Equatable, Sendable {
    /// In how many rows the change would have been proven.
    package var found: Int
    package var of: Int
  }

  /// Adds a share to each time that is not flagged, one at a time, and counts in how many all its pairs would prove
  /// that. Fresh pairs would add to the evidence, so this is rather too few.
  package func planted(share: Double) -> Planted {
    let rows = cells.flatMap(\.rows)
    let verdicts = self.rows().compactMapValues(\.verdict)
    let judged = rows.filter { row in
      !row.isSecondLook && row.look?.evidence != nil
        && ![.regressed, .improved].contains(verdicts[row.key])
    }
    let found = judged.count { row in
      let moved = row.differences.prefix(row.look?.pairs ?? 0).compactMap {
        $0.map { $0 + log1p(share) }
      }
      guard let evidence = LogRatio(differences: moved, areAlike: row.look?.areAlike == true) else {
        return false
      }
      return Judge.flags(
        evidence, adjustedP: min(1, evidence.p * Double(rows.count)), row.floor)
        && evidence.estimate > 0 && (!row.isStill || evidence.p < PairedRow.strong)
    }
    return Planted(found: found, of: judged.count)
  }
}

extension InterimPlan {
  /// The plan made valid: ascending analyses of at least one pair, and a confirmation of at least one pair, since an
  /// unconfirmed suspicion is not a verdict. No number is larger than the test allows.
  var checked: InterimPlan {
    let most = SignedRank.most / 2
    return InterimPlan(
      screening: Set(screening.filter { $0 > 0 }.map { min($0, most) }).sorted(),
      confirmation: min(max(confirmation, 1), most), ended: ended)
  }
}
