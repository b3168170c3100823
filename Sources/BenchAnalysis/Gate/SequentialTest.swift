import BenchResults
import Foundation

/// The test of a gate's times: what to measure next, and what the pairs measured so far say.
///
/// A pure function of the two sides' records, so that a gate at work and a stored run come to the same
/// verdicts. Screening looks at growing numbers of pairs until every row is unchanged or suspected or the cap
/// is reached; then fresh pairs of the suspected cells must agree. See ``Screening`` and ``Confirmation`` for
/// the levels. Judged are wall times of all phases of all cells, as one family, and means of blocks, as
/// another; rows that neither side can tell from an empty sample are left out and get no verdict.
package struct SequentialTest: Sendable {
  /// What to measure next: how many pairs each cell must have in all, those it has counted.
  package enum Step: Equatable, Sendable {
    /// Pairs for the next planned look.
    case screening([Cell: Int])
    /// Fresh pairs of cells with a suspected row.
    case confirmation([Cell: Int])
    /// Nothing: every verdict is as good as it gets.
    case done
  }

  /// The number of the rules by which times are measured for a gate and judged; raised with every change
  /// that moves verdicts: what `scripts/lab` found of gates by others says nothing of these.
  package static let rules = 6

  let screening: Screening
  let confirmation: Confirmation
  let plan: LookPlan

  /// Looks at two records; nil where they are not the two sides of one gate.
  ///
  /// A cell that is in `failures` of a side, or that an outcome calls failed, interrupted or ended
  /// by the budget, is not waited for. Machines or menus that differ leave nothing to test.
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

  /// Looks at pairs; the plan must be a checked one.
  init(_ cells: [PairedCell], plan: LookPlan) {
    self.plan = plan
    screening = Screening(cells, plan: plan)
    confirmation = Confirmation(screening, plan: plan)
  }

  /// The plan that is to hold instead, where so few pairs as its first look has can prove nothing of so many rows,
  /// however large a change; nil where they can, and until all cells have them. To be written down before anything
  /// is decided: the rows that are judged are those of the first pairs.
  package var raisedPlan: LookPlan? {
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

  /// How many pairs of every cell the verdicts rest on, those of a confirmation counted.
  package var pairs: [Cell: Int] {
    let counts = screening.cells.map { cell in
      let screened = cell.screened ?? 0
      return (cell.cell, screened + (confirmation.isHeld ? confirmation.fresh(cell) : 0))
    }
    return Dictionary(counts) { first, _ in first }
  }

  /// Every judged row with its verdict, at any point: what is not decided is inconclusive, and why.
  ///
  /// The ratio and interval are those on which the verdict rests: of the look that decided, of the
  /// last look of an open row, of the fresh pairs alone of a suspected one.
  package func rows() -> [Series.Key: RowComparison] {
    verdicts { cell, row in open(row, cell) }
  }

  /// The rows; what an open one comes to is left to the caller. The smallest change takes longer to find
  /// than all the rest, which tests of many gates leave out.
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
          // Nobody asked for the pairs that it would take.
          case .open where row.isSecondary && row.looks.last?.showsNothing == true:
            comparison(row, seen(row, cell), nil)
          case .open: comparison(row, seen(row, cell), .inconclusive(open(cell, row)))
          }
      }
    }
    return rows
  }

  /// The last look, or all pairs of a row that no look was held over.
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
    // Where time ran out nobody would have had more pairs.
    let cap = plan.ended ?? plan.screening.last ?? 0
    guard let smallest = SmallestChange(row, tests: tests, atMost: cap)?.find() else {
      return .blocks(
        have: last.pairs, need: LogRatio.blocksNeeded(tests: tests, isPaired: true))
    }
    return .wide(smallestChange: exp(smallest))
  }

  /// How far every cell's control moved, of the cells that a look was held over and that have one;
  /// where fresh pairs were looked at, the larger of both movements that were real.
  var drifts: [Cell: Drift] {
    let all = screening.cells.compactMap { cell in cell.drift.map { (cell.cell, $0) } }
    var drifts = Dictionary(all) { first, _ in first }
    guard confirmation.isHeld else { return drifts }
    for (key, look) in confirmation.looks where look.evidence != nil {
      if let drift = look.drift, drift.isReal { drifts[key.cell] = drift }
    }
    return drifts
  }

  /// The cells with judged rows and without a control on both sides.
  var uncontrolled: [Cell] {
    screening.cells.filter { cell in
      let isLost = cell.screened != nil && cell.drift == nil
      return !cell.rows.isEmpty && (cell.control == nil || isLost)
    }.map(\.cell)
  }
}

/// The one look at fresh pairs of the suspected cells, when the screening is over.
///
/// The fresh pairs alone must agree: all suspects are one family of Holm's at the level 0.05. It is
/// held when every suspected cell has its fresh pairs, those apart that will get no more.
struct Confirmation: Sendable {
  /// What the fresh pairs say of each suspected row.
  private(set) var looks: [Series.Key: RowLook] = [:]
  /// The cells without which the look cannot be held, and how many pairs each needs in all.
  private(set) var awaited: [Cell: Int] = [:]
  /// Whether the fresh pairs are all there, so that they may be looked at.
  private(set) var isHeld = false
  let need: Int
  private let isDue: Bool

  init(_ screening: Screening, plan: LookPlan) {
    need = plan.confirmation
    isDue = screening.awaited.isEmpty
    guard isDue else { return }
    for cell in screening.cells where cell.isSuspected { add(cell, noise: screening.noise) }
    isHeld = awaited.isEmpty
    if isHeld { adjust() }
  }

  /// How many fresh pairs a cell has of those needed; 0 where none are, or not yet.
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

extension LookPlan {
  /// The largest number of pairs that is taken for one; a file may hold anything.
  private static let most = 1_000_000

  /// The plan as it can be followed: ascending looks of one pair or more, and a confirmation of at
  /// least one, since a suspicion that nothing confirms is no verdict.
  var checked: LookPlan {
    LookPlan(
      screening: Set(screening.filter { $0 > 0 }.map { min($0, Self.most) }).sorted(),
      confirmation: min(max(confirmation, 1), Self.most), ended: ended)
  }
}
