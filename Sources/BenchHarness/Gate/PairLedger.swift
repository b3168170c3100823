import BenchResults

/// What a gate knows of its cells while it measures: the shared cells first on both sides, then those
/// of which only instructions are counted, then those that one side alone has.
struct PairLedger {
  private var states: Sides<[CellState]>

  init(_ plan: PairPlan) {
    states = Sides(baseline: .baseline, candidate: .candidate).map { side in
      let traced = plan.traced.filter { !plan.cells.contains($0) }
      return (plan.cells + traced + (plan.lonely[side] ?? [])).map { CellState(plan: $0) }
    }
  }

  /// Whether a shared cell is still under way on both sides.
  func isActive(_ index: Int) -> Bool {
    states.baseline[index].isActive && states.candidate[index].isActive
  }

  /// Whether a side's cell is still under way.
  func isActive(_ cell: Cell, on side: Pairing.Side) -> Bool {
    index(of: cell, side).map { states[side][$0].isActive } ?? false
  }

  /// Pairs of blocks that a shared cell has.
  func pairs(of index: Int) -> Int { states.candidate[index].timedBlocks }

  /// Keeps what came of a block; a cell that failed before keeps nothing.
  mutating func take(
    _ outcome: BlockOutcome, of cell: Cell, on side: Pairing.Side, _ kind: BlockRequest.Kind
  ) {
    guard let index = index(of: cell, side), states[side][index].isActive else { return }
    switch outcome {
    case .measured(let series):
      states[side][index].add(series)
      states[side][index].count(kind)
    case .failed(let stage, let reason):
      states[side][index].fail(stage: stage, reason: reason)
      drop(cell, but: side)
    }
  }

  /// What one side cannot measure has no figures on the other side either.
  private mutating func drop(_ cell: Cell, but side: Pairing.Side) {
    let other: Pairing.Side = side == .baseline ? .candidate : .baseline
    guard let index = index(of: cell, other), states[other][index].isActive else { return }
    states[other][index].fail(stage: nil, reason: "the \(side.rawValue) could not be measured")
  }

  /// Ends cells of which nothing more is wanted.
  mutating func finish(_ cells: [PlannedCell]) {
    for side in Pairing.Side.allCases {
      for index in states[side].indices
      where states[side][index].isActive && cells.contains(states[side][index].plan) {
        states[side][index].stop = .blocks
      }
    }
  }

  /// Ends whatever is still under way.
  mutating func finish(_ stop: Outcome.Stop) {
    for side in Pairing.Side.allCases {
      for index in states[side].indices where states[side][index].isActive {
        states[side][index].stop = stop
      }
    }
  }

  /// Writes all that is known into a side's record.
  func fill(_ record: inout RunRecord, of side: Pairing.Side) {
    record.cells = states[side].flatMap(\.series)
    record.outcomes = states[side].map(\.outcome)
    record.failures = states[side].compactMap(\.failure)
  }

  private func index(of cell: Cell, _ side: Pairing.Side) -> Int? {
    states[side].firstIndex { $0.plan.cell == cell }
  }
}
