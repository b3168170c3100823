import BenchResults

/// The two records of one gate.
struct GateRecords {
  let candidate: RunRecord
  let baseline: RunRecord
  let tolerances: Tolerances
  /// Pairs of blocks at the first look.
  let firstLook: Int

  /// The cells of both records, in the candidate's order; those of menus that differ left out.
  func cells(differentMenus: Set<String>) -> [PairedCell] {
    let new = Dictionary(grouping: candidate.cells, by: \.cell)
    let old = Dictionary(grouping: baseline.cells, by: \.cell)
    let stopped = candidate.stoppedCells.union(baseline.stoppedCells)
    let known = Set(baseline.allCells)
    return candidate.allCells.filter { known.contains($0) && !differentMenus.contains($0.menu) }
      .map { cell(of: $0, new[$0] ?? [], old[$0] ?? [], isStopped: stopped.contains($0)) }
  }

  private func cell(
    of cell: Cell, _ new: [Series], _ old: [Series], isStopped: Bool
  ) -> PairedCell {
    let others = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
    let pairs = new.filter(\.isTimedAndJudged).compactMap { PairedHalves($0, others[$0.key]) }
    let control = new.first(where: \.isTimedControl).flatMap { PairedHalves($0, others[$0.key]) }
    // Timed on one side alone, or unable to be: more turns would not make a pair.
    let isVain =
      pairs.isEmpty
      && (new + old).contains {
        $0.isTimedAndJudged && (!$0.blocks.isEmpty || $0.unsupported != nil)
      }
    return PairedCell(
      cell: cell, rows: pairs.filter { !isTiny($0) }.map(row), control: control?.differences,
      turns: pairs.map(\.turns).max() ?? 0, isStopped: isStopped || isVain)
  }

  private func isTiny(_ halves: PairedHalves) -> Bool {
    halves.isTiny(firstLook, (candidate.machine, baseline.machine))
  }

  private func row(_ halves: PairedHalves) -> PairedRow {
    let key = halves.candidate.key
    let tolerance = tolerances.of(key).flatMap { tolerance in
      halves.baselineMedian(firstLook).map(tolerance.logFloor)
    }
    let values = [halves.candidate, halves.baseline].flatMap { $0.blockMedians ?? [] }
    return PairedRow(
      key: key, metric: halves.candidate.metric,
      baselineP50: Statistics.median(halves.baseline.blockMedians ?? []),
      differences: halves.differences, tolerance: tolerance ?? 0,
      isAllZero: values.allSatisfy { $0 == 0 })
  }
}

extension RunRecord {
  /// Every cell of which anything is known, each once, in order.
  var allCells: [Cell] {
    var seen: Set<Cell> = []
    return (cells.map(\.cell) + outcomes.map(\.cell)).filter { seen.insert($0).inserted }
  }

  /// The cells that will get no more blocks.
  var stoppedCells: Set<Cell> {
    let ended: [Outcome.Stop] = [.failed, .budget, .interrupted]
    return Set(
      failures.map(\.cell)
        + outcomes.filter {
          // One that ended without a pair is there for its counters alone.
          ended.contains($0.stop) || ($0.stop == .blocks && $0.timedBlocks == 0)
        }.map(\.cell))
  }
}
