import Basics
import BenchResults
import Foundation

/// One cell of a gate: its judged rows, its control, and how far its interim analyses have come.
/// Rows and control come from the same pairs of blocks.
struct PairedCell: Sendable {
  var cell: Cell
  /// The judged rows, without those that cannot be distinguished from an empty sample.
  var rows: [PairedRow]
  /// ln(candidate / baseline) of the control, pair by pair, or nil if a side did not time it.
  var control: [Double?]?
  var turns: Int
  /// Whether no more pairs will come, for example because the cell failed.
  var isStopped = false
  /// The number of pairs in its last interim analysis; nil before the first.
  var screened: Int?
  /// The movement of its control in that analysis, or nil without a control.
  var drift: Drift?

  /// Whether the next interim analysis needs more pairs of the cell. Before the first one every
  /// cell is open, since nothing is known of its rows.
  ///
  /// - Parameter cap: The largest number of pairs that the cell can get.
  func isOpen(atMost cap: Int) -> Bool {
    screened == nil || rows.contains { $0.wantsPairs(atMost: cap) }
  }

  var isSuspected: Bool { rows.contains { $0.state == .suspected } }

  func drift(_ turns: Range<Int>) -> Drift? { control?.evidence(turns).map { Drift($0) } }
}

/// One judged row of a gate: its pairs and the results of its interim analyses.
struct PairedRow: Sendable {
  enum State: Sendable { case open, unchanged, suspected }

  var key: Series.Key
  var metric: Metric
  /// The baseline's median of every pair, for display only, or empty if unknown.
  var baseline: [Double] = []
  /// ln(candidate / baseline) of every pair, or nil if a side is missing or not above 0.
  var differences: [Double?]
  /// The log ratio that the user tolerates.
  var tolerance = 0.0
  /// The log ratio that the order of the code alone may cause.
  var layout = 0.0
  /// Whether every value is 0, which counts as unchanged although it has no ratio.
  var isAllZero = false
  /// The interim analyses that included the row: all until it was decided.
  var looks: [RowLook] = []
  var state = State.open
  /// The p-value in the family of tests: that of the deciding analysis, or of the current one. It
  /// is 1 for an open row that the current analysis does not reach.
  var p = 1.0

  /// Whether another row of the cell judges the same work, and does so better.
  var isSecondary = false

  /// Whether more pairs are worth their time for this row. They may prove an effect that it seems
  /// to have or, if no other row judges the same work, show that it has none. This may depend on
  /// the data at no cost: each analysis has its own level, and stopping early flags nothing.
  func wantsPairs(atMost cap: Int) -> Bool {
    guard state == .open, let last = looks.last else { return state == .open }
    return wantsPairs(after: last, atMost: cap)
  }

  /// Whether more pairs are worth their time after an analysis that did not decide the row.
  func wantsPairs(after look: RowLook, atMost cap: Int) -> Bool {
    isSecondary ? look.mayHoldEffect() : look.mayHoldEffect(0.15) || look.maySettle(by: cap)
  }

  /// Analyses a range of pairs. If one has no ratio there is no evidence, since leaving out pairs
  /// because of their values would bias it.
  func look(_ turns: Range<Int>, noise: Double = 0, drift: Drift? = nil) -> RowLook {
    RowLook(
      pairs: turns.count, evidence: differences.evidence(turns),
      baseline: turns.upperBound <= baseline.count
        ? Statistics.median(Array(baseline[turns])) : nil,
      floor: EffectFloor(
        noise: noise, drift: abs(drift?.change ?? 0), hasControlMoved: drift?.isReal ?? false,
        tolerance: tolerance, layout: layout), drift: drift)
  }

  /// Returns ln(candidate / baseline) of every pair of blocks: the trimmed mean of the log ratios
  /// of its turns. Nil if a side is missing or a value is not above 0.
  ///
  /// The two processes measure in turn, so a slow stretch of the machine affects both sides of
  /// these ratios. The medians of whole sides may come from different stretches. If one side has
  /// more samples, those within one turn are averaged.
  static func differences(_ candidate: Series, _ baseline: Series) -> [Double?] {
    zip(candidate.blocks, baseline.blocks).map { turns($0, $1).flatMap(Statistics.trimmedMean) }
  }

  /// Returns the log ratio of every turn of one pair, or nil if a value is not above 0.
  static func turns(_ candidate: [Double], _ baseline: [Double]) -> [Double]? {
    guard (candidate + baseline).allSatisfy({ $0 > 0 }) else { return nil }
    let turns = min(candidate.count, baseline.count)
    return (0..<turns).map {
      logMean(candidate, $0, of: turns) - logMean(baseline, $0, of: turns)
    }
  }

  /// Returns the mean logarithm of the values that belong to one of `turns` turns.
  private static func logMean(_ values: [Double], _ turn: Int, of turns: Int) -> Double {
    let own = values[turn * values.count / turns..<(turn + 1) * values.count / turns]
    return own.reduce(0) { $0 + log($1) } / Double(own.count)
  }
}

extension [Double?] {
  /// Returns the evidence of a range of pairs, or nil if it is empty or a pair has no ratio.
  func evidence(_ turns: Range<Int>) -> LogRatio? {
    guard turns.upperBound <= count else { return nil }
    let known = self[turns].compactMap { $0 }
    return known.count == turns.count ? LogRatio(differences: known) : nil
  }
}

/// The result of one interim analysis of one row.
struct RowLook: Sendable {
  var pairs: Int
  /// The evidence of these pairs, or nil if one has no ratio.
  var evidence: LogRatio?
  /// The baseline's median in these pairs, or nil if unknown.
  var baseline: Double?
  var floor: EffectFloor
  var drift: Drift?
  /// The p-value, adjusted for all rows and analyses that share the level.
  var adjustedP = 1.0

  /// Whether the row is suspected of an effect. If the control moved, the effect must be larger than that.
  /// A machine or a code layout that moves the control by a few per cent cannot hide a time that doubled.
  var isSuspicious: Bool {
    evidence.map { evidence in
      let isBeyond = evidence.interval.low > control || evidence.interval.high < -control
      return Judge.flags(evidence, adjustedP: adjustedP, floor) && isBeyond
    } ?? false
  }

  /// Whether the row may have an effect that more pairs could prove, by its own p-value alone.
  func mayHoldEffect(_ level: Double = Judge.alpha) -> Bool {
    evidence.map { $0.p < level && abs($0.estimate) > floor.flagged } ?? false
  }

  /// Whether the row is known to have no effect that matters.
  var isSettled: Bool { evidence.map { !hasControlMoved && Judge.settles($0, floor) } ?? false }

  /// Whether the control stood still and there is evidence, but none of an effect.
  var showsNothing: Bool { evidence != nil && !hasControlMoved && !mayHoldEffect() }

  /// Whether `cap` pairs may narrow the interval enough, and close enough to no change, to settle
  /// the row. Its width falls with the square root of their number. A margin of a quarter allows
  /// for the wrong spread of few pairs. More pairs do not replace one without a ratio.
  func maySettle(by cap: Int) -> Bool {
    guard let evidence else { return false }
    guard !hasControlMoved else { return true }
    let least = evidence.interval.width / 2 * (Double(pairs) / Double(max(cap, 1))).squareRoot()
    return least < 1.25 * floor.unchanged && abs(evidence.estimate) - least < floor.unchanged
  }

  private var hasControlMoved: Bool { drift?.isReal ?? false }

  /// The movement of the control, or 0 if it may be chance.
  private var control: Double { hasControlMoved ? floor.drift : 0 }
}

struct GateRecords {
  let candidate: RunRecord
  let baseline: RunRecord
  let tolerances: Tolerances
  let firstLook: Int

  /// Returns the cells of both records, in the candidate's order, without menus that differ.
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
    let others = old.byKey
    let timed = new.filter(\.isTimedAndJudged)
    let pairs = timed.compactMap { row($0, others[$0.key]) }
    let control = new.first(where: \.isTimedControl).flatMap { row($0, others[$0.key]) }
    // Only one side was timed, or timing is unsupported: more blocks would not make a pair.
    let cannotPair =
      pairs.isEmpty
      && (new + old).contains {
        $0.isTimedAndJudged && (!$0.blocks.isEmpty || $0.unsupported != nil)
      }
    let tiny = Set(timed.filter { isUnresolved($0, others[$0.key]) }.map(\.key))
    var rows = pairs.filter { !tiny.contains($0.key) }
    let first = Set(rows.filter { !$0.metric.isSecondary }.map(\.key.phase))
    for index in rows.indices {
      rows[index].isSecondary =
        rows[index].metric.isSecondary && first.contains(rows[index].key.phase)
    }
    return PairedCell(
      cell: cell, rows: rows, control: control?.differences,
      turns: pairs.map(\.differences.count).max() ?? 0, isStopped: isStopped || cannotPair)
  }

  /// Pairs two series, or nil if a side has no values or one is not finite.
  private func row(_ candidate: Series, _ baseline: Series?) -> PairedRow? {
    guard let baseline, let new = candidate.blockMedians, let old = baseline.blockMedians else {
      return nil
    }
    let tolerance = tolerances.of(candidate.key).flatMap { tolerance in
      firstMedian(baseline).map(tolerance.logFloor)
    }
    return PairedRow(
      key: candidate.key, metric: candidate.metric, baseline: old,
      differences: PairedRow.differences(candidate, baseline), tolerance: tolerance ?? 0,
      layout: EffectFloor.layout(of: firstMedian(baseline), repeated: baseline.batch ?? 1),
      isAllZero: (new + old).allSatisfy { $0 == 0 })
  }

  /// Whether the first blocks of both sides cannot be distinguished from an empty sample. The first
  /// analysis decides this for good, so that the family of tests stays the same.
  private func isUnresolved(_ new: Series, _ old: Series?) -> Bool {
    guard let old else { return false }
    return candidate.machine.isUnresolved(firstMedian(new), new)
      && baseline.machine.isUnresolved(firstMedian(old), old)
  }

  private func firstMedian(_ series: Series) -> Double? {
    Statistics.median(series.blocks.prefix(firstLook).compactMap(Statistics.median))
  }
}

extension RunRecord {
  /// Every cell that has series or an outcome, each once, in order.
  var allCells: [Cell] {
    (cells.map(\.cell) + outcomes.map(\.cell)).distinct
  }

  var stoppedCells: Set<Cell> {
    let ended: [Outcome.Stop] = [.failed, .budget, .interrupted]
    return Set(
      failures.map(\.cell)
        + outcomes.filter {
          // A cell that ended without a timed block was measured for its counters alone.
          ended.contains($0.stop) || ($0.stop == .blocks && $0.timedBlocks == 0)
        }.map(\.cell))
  }
}
