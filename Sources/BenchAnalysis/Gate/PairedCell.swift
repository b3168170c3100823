import BenchResults
import Foundation

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

/// One judged row of a gate: its pairs, turn by turn.
struct PairedRow: Sendable {
  var key: Series.Key
  var metric: Metric
  /// The baseline's median, for show; nil if unknown.
  var baselineP50: Double?
  /// ln(candidate / baseline) of every turn; nil where a half is absent or not above 0.
  var differences: [Double?]
  /// The log ratio that was declared to be no matter.
  var tolerance = 0.0
  /// Whether every value is 0, which is no change without any ratio.
  var isAllZero = false

  /// What the pairs of some turns say; nil where one of them has no ratio, since leaving pairs out
  /// for their values would bend the evidence.
  func evidence(_ turns: Range<Int>) -> LogRatio? { differences.evidence(turns) }
}

extension [Double?] {
  /// What the pairs of some turns say; nil of none and where one has no ratio.
  func evidence(_ turns: Range<Int>) -> LogRatio? {
    guard turns.upperBound <= count else { return nil }
    let known = self[turns].compactMap { $0 }
    return known.count == turns.count ? LogRatio(differences: known) : nil
  }
}

/// One cell of a gate: its judged rows and its control, all of the same turns.
struct PairedCell: Sendable {
  var cell: Cell
  /// The rows that are judged; those that cannot be told from an empty sample are not among them.
  var rows: [PairedRow]
  /// ln(candidate / baseline) of the control; nil where none was timed on both sides.
  var control: [Double?]?
  /// How many pairs of blocks there are.
  var turns: Int
  /// Whether no more will come, as of a cell that failed.
  var isStopped = false
}

/// The two halves of one timed series of a gate.
struct PairedHalves {
  let candidate: Series
  let baseline: Series

  /// Nil where a side has no values, or one that is no finite number.
  init?(_ candidate: Series, _ baseline: Series?) {
    guard let baseline, candidate.blockMedians != nil, baseline.blockMedians != nil else {
      return nil
    }
    (self.candidate, self.baseline) = (candidate, baseline)
  }

  /// How many turns have both halves.
  var turns: Int { min(candidate.blocks.count, baseline.blocks.count) }

  /// ln(candidate / baseline) of every turn; nil where a half is empty or not above 0.
  var differences: [Double?] {
    zip(candidate.blocks, baseline.blocks).map { new, old in
      guard let new = Statistics.median(new), let old = Statistics.median(old), new > 0, old > 0
      else { return nil }
      return log(new) - log(old)
    }
  }

  /// Whether neither side's first turns can be told from an empty sample. The first look decides it
  /// for good, so that the family of tests does not change from look to look.
  func isTiny(_ first: Int, _ machines: (candidate: Machine, baseline: Machine)) -> Bool {
    isBelow(machines.candidate.leastTellable(candidate.metric), candidate, first)
      && isBelow(machines.baseline.leastTellable(baseline.metric), baseline, first)
  }

  /// The baseline's median over its first turns.
  func baselineMedian(_ first: Int) -> Double? {
    Statistics.median(baseline.blocks.prefix(first).compactMap(Statistics.median))
  }

  private func isBelow(_ least: Double?, _ series: Series, _ first: Int) -> Bool {
    guard let least,
      let median = Statistics.median(series.blocks.prefix(first).compactMap(Statistics.median))
    else { return false }
    return median < least
  }
}
