import BenchResults
import Foundation

/// The sequential test of a gate's times: decides what to measure next, and judges the pairs so far.
///
/// It is a pure function of both sides' records, so a running gate and a stored run get the same
/// verdicts. Screening analyses growing numbers of pairs until every row is unchanged or suspected, or
/// the cap is reached. Then fresh pairs of the suspected cells must agree. See ``Screening`` and
/// ``Confirmation`` for the levels. Wall times of all phases and cells are one family, means of blocks
/// another. Rows that look like an empty sample on both sides get no verdict.
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
  package static let rules = 6

  let screening: Screening
  let confirmation: Confirmation
  let plan: InterimPlan

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
    self.plan = plan
    screening = Screening(cells, plan: plan)
    confirmation = Confirmation(screening, plan: plan)
  }

  /// The plan to use instead if the pairs of the first analysis cannot prove any change, however
  /// large, in so many rows. Nil if they can, and until all cells have these pairs. The gate must
  /// store it before anything is decided, since the first pairs determine which rows are judged.
  package var raisedPlan: InterimPlan? {
    let least = min(screening.fewestPairs, plan.screening.last ?? 0)
    guard let first = plan.screening.first, first < least,
      screening.cells.allSatisfy({ $0.isStopped || $0.turns >= first })
    else { return nil }
    var raised = plan
    raised.screening = Set(plan.screening.map { max($0, least) }).sorted()
    return raised
  }

  package var nextStep: Step {
    if !screening.awaited.isEmpty { return .screening(screening.awaited) }
    if !confirmation.awaited.isEmpty { return .confirmation(confirmation.awaited) }
    return .done
  }

  /// The number of pairs of every cell behind the verdicts, including a confirmation's.
  package var pairs: [Cell: Int] {
    let counts = screening.cells.map { cell in
      let screened = cell.screened ?? 0
      return (cell.cell, screened + (confirmation.isHeld ? confirmation.fresh(cell) : 0))
    }
    return Dictionary(counts) { first, _ in first }
  }

  /// Returns every judged row with its verdict, at any point. An undecided row is inconclusive, with a reason.
  ///
  /// Ratio and interval are those behind the verdict: of the deciding analysis, of the last analysis of an open
  /// row, or of the fresh pairs alone of a suspected row.
  package func rows() -> [Series.Key: RowComparison] {
    verdicts { cell, row in open(row, cell) }
  }

  /// Returns the rows, with the caller's doubt for open ones. Finding the smallest change takes
  /// longer than all the rest, so tests of many gates leave it out.
  func verdicts(
    open: (PairedCell, PairedRow) -> Doubt
  ) -> [Series.Key: RowComparison] {
    var rows: [Series.Key: RowComparison] = [:]
    for cell in screening.cells {
      for row in cell.rows {
        rows[row.key] =
          switch row.state {
          case .unchanged: comparison(row, row.looks.last, .unchanged)
          case .suspected: suspected(row, cell)
          case .open where row.isAllZero: comparison(row, nil, .unchanged)
          // No analysis asked for the pairs that a verdict would need.
          case .open where row.isSecondary && row.looks.last?.showsNothing == true:
            comparison(row, seen(row, cell), nil)
          case .open: comparison(row, seen(row, cell), .inconclusive(open(cell, row)))
          }
      }
    }
    return rows
  }

  /// Returns the last analysis, or one of all pairs if the row has none.
  private func seen(_ row: PairedRow, _ cell: PairedCell) -> RowLook {
    row.looks.last ?? row.look(0..<cell.turns, noise: screening.noise)
  }

  private func comparison(
    _ row: PairedRow, _ look: RowLook?, _ verdict: Verdict?
  ) -> RowComparison {
    var result = RowComparison(baselineP50: Statistics.median(row.baseline), verdict: verdict)
    guard let look, let evidence = look.evidence else { return result }
    result.show(evidence, look.floor)
    result.paired = look.baseline.flatMap { then in
      result.ratio.map { RowComparison.Figures(baseline: then, now: then * $0) }
    }
    result.adjustedP = row.looks.isEmpty ? nil : look.adjustedP
    return result
  }

  private func suspected(_ row: PairedRow, _ cell: PairedCell) -> RowComparison {
    let suspicion = row.looks.last
    let estimate = suspicion?.evidence?.estimate ?? 0
    let doubt = Doubt.unconfirmed(
      suspected: exp(estimate), fresh: confirmation.fresh(cell), need: confirmation.need)
    guard confirmation.isHeld, let look = confirmation.looks[row.key], let evidence = look.evidence
    else { return comparison(row, suspicion, .inconclusive(doubt)) }
    if look.isSuspicious, evidence.estimate * estimate > 0 {
      return comparison(row, look, Judge.direction(evidence, row.metric))
    }
    return comparison(row, look, .inconclusive(look.drift?.doubt ?? doubt))
  }

  private func open(_ row: PairedRow, _ cell: PairedCell) -> Doubt {
    guard let last = row.looks.last else {
      let have = min(row.differences.count, cell.turns)
      return .blocks(have: have, need: plan.screening.first ?? 1)
    }
    if let doubt = last.drift?.doubt { return doubt }
    guard last.evidence != nil else {
      let have = row.differences.count
      return have < last.pairs ? .blocks(have: have, need: last.pairs) : .noRatio
    }
    let tests = screening.tests(of: row)
    // If time ran out, no row could have had more pairs.
    let cap = plan.ended ?? plan.screening.last ?? 0
    guard let smallest = SmallestChange(row, tests: tests, atMost: cap)?.find() else {
      return .blocks(
        have: last.pairs, need: LogRatio.blocksNeeded(tests: tests, isPaired: true))
    }
    return .wide(smallestChange: exp(smallest))
  }

  /// The movement of every control, for cells that an analysis included. A real movement in the
  /// fresh pairs replaces that of the screening.
  var drifts: [Cell: Drift] {
    let all = screening.cells.compactMap { cell in cell.drift.map { (cell.cell, $0) } }
    var drifts = Dictionary(all) { first, _ in first }
    guard confirmation.isHeld else { return drifts }
    for (key, look) in confirmation.looks where look.evidence != nil {
      if let drift = look.drift, drift.isReal { drifts[key.cell] = drift }
    }
    return drifts
  }

  /// The cells that have judged rows but no control on both sides.
  var uncontrolled: [Cell] {
    screening.cells.filter { cell in
      let isLost = cell.screened != nil && cell.drift == nil
      return !cell.rows.isEmpty && (cell.control == nil || isLost)
    }.map(\.cell)
  }
}

/// The single interim analysis of fresh pairs of the suspected cells, after the screening.
///
/// The fresh pairs alone must agree. All suspects are one family, adjusted by Holm's method at the level 0.05.
/// The analysis takes place when every suspected cell has its fresh pairs, except cells that get no more.
struct Confirmation: Sendable {
  /// The result of the fresh pairs for each suspected row.
  private(set) var looks: [Series.Key: RowLook] = [:]
  /// The cells that the analysis waits for, and how many pairs each needs in all.
  private(set) var awaited: [Cell: Int] = [:]
  /// Whether all fresh pairs are there, so that they have been analysed.
  private(set) var isHeld = false
  let need: Int
  private let isDue: Bool

  init(_ screening: Screening, plan: InterimPlan) {
    need = plan.confirmation
    isDue = screening.awaited.isEmpty
    guard isDue else { return }
    for cell in screening.cells where cell.isSuspected { add(cell, noise: screening.noise) }
    isHeld = awaited.isEmpty
    if isHeld { adjust() }
  }

  /// Returns how many of the needed fresh pairs a cell has, or 0 if it needs none, or not yet.
  func fresh(_ cell: PairedCell) -> Int {
    isDue && cell.isSuspected ? min(max(cell.turns - (cell.screened ?? 0), 0), need) : 0
  }

  private mutating func add(_ cell: PairedCell, noise: Double) {
    let start = cell.screened ?? 0
    if fresh(cell) < need, !cell.isStopped { awaited[cell.cell] = start + need }
    let turns = start..<(start + need)
    let drift = cell.drift(turns)
    for row in cell.rows where row.state == .suspected {
      looks[row.key] = row.look(turns, noise: noise, drift: drift)
    }
  }

  private mutating func adjust() {
    let keys = Array(looks.keys)
    let adjusted = Statistics.holm(keys.map { looks[$0]?.evidence?.p ?? 1 })
    for (key, p) in zip(keys, adjusted) { looks[key]?.adjustedP = p }
  }
}

extension InterimPlan {
  /// The limit for any number of pairs, since a file may contain anything.
  private static let most = 1_000_000

  /// The plan made valid: ascending analyses of at least one pair, and a confirmation of at least
  /// one pair, since an unconfirmed suspicion is not a verdict.
  var checked: InterimPlan {
    InterimPlan(
      screening: Set(screening.filter { $0 > 0 }.map { min($0, Self.most) }).sorted(),
      confirmation: min(max(confirmation, 1), Self.most), ended: ended)
  }
}
