import Basics
import BenchResults
import Foundation

/// One cell of a gate: its judged rows and its control, all of the same turns, and how far the looks
/// have got with it.
struct PairedCell: Sendable {
  var cell: Cell
  /// The rows that are judged; those that cannot be told from an empty sample are not among them.
  var rows: [PairedRow]
  /// ln(candidate / baseline) of the control; nil where none was timed on both sides.
  var control: [Double?]?
  var turns: Int
  /// Whether no more will come, as of a cell that failed.
  var isStopped = false
  /// How many pairs its last look took; nil before the first.
  var screened: Int?
  /// How far its control had moved by then; nil without a control.
  var drift: Drift?

  /// Whether the next look needs more of it. At the first one every cell is open: nothing is known
  /// of its rows before.
  ///
  /// - Parameter cap: the most pairs that it can get.
  func isOpen(atMost cap: Int) -> Bool {
    screened == nil || rows.contains { $0.wantsPairs(atMost: cap) }
  }

  var isSuspected: Bool { rows.contains { $0.state == .suspected } }

  func drift(_ turns: Range<Int>) -> Drift? { control?.evidence(turns).map { Drift($0) } }
}

/// One judged row of a gate: its pairs, turn by turn, and what the looks saw of it.
struct PairedRow: Sendable {
  enum State: Sendable { case open, unchanged, suspected }

  var key: Series.Key
  var metric: Metric
  /// The baseline's median of every turn, for show; empty where unknown.
  var baseline: [Double] = []
  /// ln(candidate / baseline) of every turn; nil where a half is absent or not above 0.
  var differences: [Double?]
  /// The log ratio that was declared to be no matter.
  var tolerance = 0.0
  /// The log ratio that the order of the code may make.
  var layout = 0.0
  /// Whether every value is 0, which is no change without any ratio.
  var isAllZero = false
  /// The looks in which the row took part: all while it was open.
  var looks: [RowLook] = []
  var state = State.open
  /// The p-value that counts in the family of tests: that of the look at which the row was decided; 1
  /// of an open row that did not reach the look.
  var p = 1.0

  /// Whether another row of the cell judges the same work, and better.
  var isSecondary = false

  /// Whether more pairs are worth their time for it: they may prove an effect that it seems to hold, or,
  /// where no other row judges the same work, may show that it holds none. That this depends on what was seen
  /// costs no level: each look has its own, and to stop sooner flags nothing.
  func wantsPairs(atMost cap: Int) -> Bool {
    guard state == .open, let last = looks.last else { return state == .open }
    return wantsPairs(after: last, atMost: cap)
  }

  /// The same after a look that did not decide it.
  func wantsPairs(after look: RowLook, atMost cap: Int) -> Bool {
    isSecondary ? look.mayHoldEffect() : look.mayHoldEffect(0.15) || look.maySettle(by: cap)
  }

  /// A look at some turns, all of which must have a ratio to be evidence: leaving pairs out for their
  /// values would bend it.
  func look(_ turns: Range<Int>, noise: Double = 0, drift: Drift? = nil) -> RowLook {
    RowLook(
      pairs: turns.count, evidence: differences.evidence(turns),
      baseline: turns.upperBound <= baseline.count
        ? Statistics.median(Array(baseline[turns])) : nil,
      floor: EffectFloor(
        noise: noise, drift: abs(drift?.change ?? 0), isAdrift: drift?.isReal ?? false,
        tolerance: tolerance, layout: layout), drift: drift)
  }

  /// ln(candidate / baseline) of every pair of blocks: the trimmed mean of the log ratios of its turns; nil where a
  /// half is absent or a value is not above 0.
  ///
  /// The two processes take turns, so that what one measures lies between what the other measures: a
  /// machine that is slow for some turns is so on both sides of these ratios, where each side's median of
  /// all turns may stand in another of its moods. Where a side has more samples, those of its turns that
  /// come at one time are one.
  static func differences(_ candidate: Series, _ baseline: Series) -> [Double?] {
    zip(candidate.blocks, baseline.blocks).map { turns($0, $1).flatMap(Statistics.trimmedMean) }
  }

  /// The log ratio of every turn of one pair; nil where a value is not above 0.
  static func turns(_ candidate: [Double], _ baseline: [Double]) -> [Double]? {
    guard (candidate + baseline).allSatisfy({ $0 > 0 }) else { return nil }
    let turns = min(candidate.count, baseline.count)
    return (0..<turns).map {
      logMean(candidate, $0, of: turns) - logMean(baseline, $0, of: turns)
    }
  }

  /// The mean logarithm of those values that a turn of so many has.
  private static func logMean(_ values: [Double], _ turn: Int, of turns: Int) -> Double {
    let own = values[turn * values.count / turns..<(turn + 1) * values.count / turns]
    return own.reduce(0) { $0 + log($1) } / Double(own.count)
  }
}

extension [Double?] {
  /// What the pairs of some turns say; nil of none and where one has no ratio.
  func evidence(_ turns: Range<Int>) -> LogRatio? {
    guard turns.upperBound <= count else { return nil }
    let known = self[turns].compactMap { $0 }
    return known.count == turns.count ? LogRatio(differences: known) : nil
  }
}

/// What one look saw of one row.
struct RowLook: Sendable {
  var pairs: Int
  /// What they say; nil where one has no ratio.
  var evidence: LogRatio?
  /// The baseline's median of its turns; nil if unknown.
  var baseline: Double?
  var floor: EffectFloor
  var drift: Drift?
  /// The p-value, adjusted for all rows and looks.
  var adjustedP = 1.0

  /// Whether the row is suspected of an effect. Where the control moved, one that is beyond that: a machine, or an
  /// order of the code, that moves the control by some per cent does not hide that something takes twice as long.
  var isSuspicious: Bool {
    evidence.map { evidence in
      let isBeyond = evidence.interval.low > control || evidence.interval.high < -control
      return Judge.flags(evidence, adjustedP: adjustedP, floor) && isBeyond
    } ?? false
  }

  /// Whether the row looks as if it held an effect that more pairs could prove, by the p-value of this row
  /// alone.
  func mayHoldEffect(_ level: Double = Judge.alpha) -> Bool {
    evidence.map { $0.p < level && abs($0.estimate) > floor.flagged } ?? false
  }

  /// Whether the row is known to hold no effect that matters.
  var isSettled: Bool { evidence.map { !isAdrift && Judge.settles($0, floor) } ?? false }

  /// Whether it has evidence, of a machine that stood still, and none of an effect.
  var showsNothing: Bool { evidence != nil && !isAdrift && !mayHoldEffect() }

  /// Whether with so many pairs the interval may be narrow enough, and near enough to no change, to settle the
  /// row: it narrows with the square root of their number, and a quarter is left for what few pairs say wrongly of
  /// their own spread. A pair without a ratio stays so.
  func maySettle(by cap: Int) -> Bool {
    guard let evidence else { return false }
    guard !isAdrift else { return true }
    let least = evidence.interval.width / 2 * (Double(pairs) / Double(max(cap, 1))).squareRoot()
    return least < 1.25 * floor.unchanged && abs(evidence.estimate) - least < floor.unchanged
  }

  private var isAdrift: Bool { drift?.isReal ?? false }

  /// How far the control moved for certain.
  private var control: Double { isAdrift ? floor.drift : 0 }
}

struct GateRecords {
  let candidate: RunRecord
  let baseline: RunRecord
  let tolerances: Tolerances
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
    let others = old.byKey
    let timed = new.filter(\.isTimedAndJudged)
    let pairs = timed.compactMap { row($0, others[$0.key]) }
    let control = new.first(where: \.isTimedControl).flatMap { row($0, others[$0.key]) }
    // Timed on one side alone, or unable to be: more turns would not make a pair.
    let isVain =
      pairs.isEmpty
      && (new + old).contains {
        $0.isTimedAndJudged && (!$0.blocks.isEmpty || $0.unsupported != nil)
      }
    let tiny = Set(timed.filter { isTiny($0, others[$0.key]) }.map(\.key))
    var rows = pairs.filter { !tiny.contains($0.key) }
    let first = Set(rows.filter { !$0.metric.isSecondary }.map(\.key.phase))
    for index in rows.indices {
      rows[index].isSecondary =
        rows[index].metric.isSecondary && first.contains(rows[index].key.phase)
    }
    return PairedCell(
      cell: cell, rows: rows, control: control?.differences,
      turns: pairs.map(\.differences.count).max() ?? 0, isStopped: isStopped || isVain)
  }

  /// Nil where a side has no values, or one that is no finite number.
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

  /// Whether neither side's first turns can be told from an empty sample. The first look decides it
  /// for good, so that the family of tests does not change from look to look.
  private func isTiny(_ new: Series, _ old: Series?) -> Bool {
    guard let old else { return false }
    return candidate.machine.isTiny(firstMedian(new), new)
      && baseline.machine.isTiny(firstMedian(old), old)
  }

  private func firstMedian(_ series: Series) -> Double? {
    Statistics.median(series.blocks.prefix(firstLook).compactMap(Statistics.median))
  }
}

extension RunRecord {
  /// Every cell of which anything is known, each once, in order.
  var allCells: [Cell] {
    (cells.map(\.cell) + outcomes.map(\.cell)).distinct
  }

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
