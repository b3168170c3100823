import BenchResults

/// The test of a gate's times: what to measure next, and what the pairs measured so far say.
///
/// A pure function of the two sides' records, so that a gate at work, the replays of its self-test
/// and a stored run all come to the same verdicts. Screening looks at growing numbers of pairs until
/// every row is unchanged or suspected or the cap is reached; then fresh pairs of the suspected
/// cells must agree. See ``Screening`` and ``Confirmation`` for the levels.
///
/// Judged are wall and CPU times, all phases of all cells as one family; rows that neither side can
/// tell from an empty sample are left out and get no verdict.
public struct SequentialTest: Sendable {
  /// What to measure next: how many pairs each cell must have in all, those it has counted.
  public enum Step: Hashable, Sendable {
    /// Pairs for the next planned look.
    case screening([Cell: Int])
    /// Fresh pairs of cells with a suspected row.
    case confirmation([Cell: Int])
    /// Nothing: every verdict is as good as it gets.
    case done
  }

  let screening: Screening
  let confirmation: Confirmation
  let plan: LookPlan

  /// Looks at two records; nil where they are not the two sides of one gate.
  ///
  /// A cell that is in `failures` of a side, or that an outcome calls failed, interrupted or ended
  /// by the budget, is not waited for. Machines or menus that differ leave nothing to test.
  public init?(
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

  /// What to measure next.
  public var nextStep: Step {
    if !screening.awaited.isEmpty { return .screening(screening.awaited) }
    if !confirmation.awaited.isEmpty { return .confirmation(confirmation.awaited) }
    return .done
  }

  /// How many pairs of every cell the verdicts rest on, those of a confirmation counted.
  public var pairs: [Cell: Int] {
    let counts = screening.cells.map { cell in
      let screened = cell.screened ?? 0
      let fresh = confirmation.isHeld && cell.isSuspected ? cell.source.turns - screened : 0
      return (cell.source.cell, screened + min(max(fresh, 0), plan.confirmation))
    }
    return Dictionary(counts) { first, _ in first }
  }
}
