import Basics
import BenchResults
import Foundation

/// One cell of a gate: its judged rows, all from the same pairs of blocks.
struct PairedCell: Sendable {
  var cell: Cell
  /// The judged rows, without those that cannot be distinguished from an empty sample.
  var rows: [PairedRow]
  var turns: Int
  /// Whether no more pairs will come, for example because the cell failed.
  var isStopped = false
  /// Whether its times are only shown, so that a few pairs are enough.
  var isShown = false
  /// The number of pairs in its last interim analysis; nil before the first.
  var analysed: Int?

  /// Whether the next interim analysis needs more pairs of the cell. Before the first one every
  /// cell is open, since nothing is known of its rows.
  ///
  /// - Parameter cap: The largest number of pairs that an analysis can have.
  func isOpen(atMost cap: Int) -> Bool {
    analysed == nil || rows.contains { $0.wantsPairs(atMost: cap) }
  }

  /// Whether the first pairs of its deciding rows are more alike than chance explains.
  func areAlike(_ pairs: Int) -> Bool {
    Statistics.areAlike(
      rows.filter { !$0.isSecondLook }.map { $0.differences.prefix(pairs).compactMap(\.self) })
  }

  var isSuspected: Bool { rows.contains { $0.state == .suspected } }
}

/// One judged time of a gate: its pairs, and the result of its last analysis.
struct PairedRow: Sendable {
  enum State: Sendable { case open, unchanged, suspected }

  var key: Series.Key
  var metric: Metric
  /// The baseline's median of every pair, for display only, or empty if unknown.
  var baseline: [Double] = []
  /// ln(candidate / baseline) of every pair, or nil if a side is missing or not above 0.
  var differences: [Double?]
  var floor = EffectFloor()
  /// Whether every value is 0, which counts as unchanged although it has no ratio.
  var isAllZero = false
  /// Whether another metric of the same time decides.
  var isSecondLook = false
  /// Whether the instructions of all its phases were counted and did not move. A time that moved anyway needs
  /// strong evidence.
  var isStill = false
  var state = State.open
  /// The newest analysis, or nil before the first.
  var look: RowLook?

  /// The level that a row's own p-value must reach if its instructions stand still.
  static let strong = 0.001

  /// Analyses a range of pairs. If one has no ratio there is no evidence, since leaving out pairs
  /// because of their values would bias it.
  func look(_ turns: Range<Int>, areAlike: Bool = false) -> RowLook {
    RowLook(
      pairs: turns.count, areAlike: areAlike, evidence: differences.evidence(turns, areAlike),
      baseline: turns.upperBound <= baseline.count
        ? Statistics.median(Array(baseline[turns])) : nil)
  }

  /// Whether more pairs are worth their time for this row. They may prove an effect that it seems
  /// to have or, if it decides, show that it has none. This may depend on the data at no cost: stopping early
  /// flags nothing.
  func wantsPairs(atMost cap: Int) -> Bool {
    guard state == .open, let look else { return state == .open }
    guard let evidence = look.evidence else { return false }
    let seemsMoved = abs(evidence.estimate) > floor.flagged
    if seemsMoved, evidence.p < (isSecondLook ? Judge.alpha : 0.3) { return true }
    guard !isSecondLook, let interval = evidence.interval else { return false }
    // The width falls with the square root of the pairs. A quarter more allows for the wrong spread of a few.
    let least = interval.width / 2 * (Double(look.pairs) / Double(max(cap, 1))).squareRoot()
    return least < 1.25 * floor.unchanged && abs(evidence.estimate) - least < floor.unchanged
  }

  /// Decides an open row by the first pairs: suspected of an effect, unchanged, or still open.
  ///
  /// - Parameter isLast: Whether no later analysis can suspect it, so that weaker evidence must do.
  mutating func analyse(_ pairs: Int, areAlike: Bool, isLast: Bool) {
    guard state == .open else { return }
    look = look(0..<pairs, areAlike: areAlike)
    guard let evidence = look?.evidence else { return }
    let level = isLast ? Judge.alpha : 0.005
    if evidence.p < level, abs(evidence.estimate) > floor.flagged {
      state = .suspected
    } else if Judge.settles(evidence, floor) {
      state = .unchanged
    }
  }

  /// Whether all pairs prove an effect, and the fresh ones among them agree in sign and size.
  func isProven(_ adjustedP: Double, fresh: LogRatio?) -> Bool {
    guard let evidence = look?.evidence, let fresh else { return false }
    return Judge.flags(evidence, adjustedP: adjustedP, floor)
      && (!isStill || evidence.p < Self.strong)
      && fresh.estimate * evidence.estimate > 0
      && abs(fresh.estimate) > Judge.smallestEffect / 2
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
  func evidence(_ turns: Range<Int>, _ areAlike: Bool = false) -> LogRatio? {
    guard turns.upperBound <= count else { return nil }
    let known = self[turns].compactMap { $0 }
    return known.count == turns.count ? LogRatio(differences: known, areAlike: areAlike) : nil
  }
}

/// The result of one analysis of one row.
struct RowLook: Sendable {
  var pairs: Int
  /// Whether successive pairs of the cell are more alike than chance explains.
  var areAlike = false
  /// The evidence of these pairs, or nil if one has no ratio.
  var evidence: LogRatio?
  /// The baseline's median in these pairs, or nil if unknown.
  var baseline: Double?
}

/// The cells of the two records of a gate.
struct GateRecords {
  let candidate: RunRecord
  let baseline: RunRecord
  let tolerances: Tolerances
  let firstLook: Int

  /// Returns the cells of both records, in the candidate's order, without menus that differ.
  func cells(differentMenus: Set<String>) -> [PairedCell] {
    let own = (DerivedTimes(candidate), DerivedTimes(baseline))
    let derived = (own.0.alike(own.1), own.1.alike(own.0))
    let times = JudgedTimes(candidate, baseline, derived, first: firstLook)
    let new = Dictionary(grouping: candidate.cells + derived.0.series, by: \.cell)
    let old = Dictionary(grouping: baseline.cells + derived.1.series, by: \.cell)
    let stopped = candidate.stoppedCells.union(baseline.stoppedCells)
    let known = Set(baseline.allCells)
    return candidate.allCells.filter { known.contains($0) && !differentMenus.contains($0.menu) }
      .map { cell(of: $0, new[$0] ?? [], old[$0] ?? [], times, isStopped: stopped.contains($0)) }
  }

  private func cell(
    of cell: Cell, _ new: [Series], _ old: [Series], _ times: JudgedTimes, isStopped: Bool
  ) -> PairedCell {
    let others = old.byKey
    func isTimed(_ series: Series) -> Bool { series.metric.isTime && series.isJudged }
    let timed = new.filter { isTimed($0) && $0.metric == others[$0.key]?.metric }
    // Only one side was timed, or timing is unsupported: more blocks would not make a pair.
    let cannotPair =
      timed.isEmpty
      && (new + old).contains { isTimed($0) && (!$0.blocks.isEmpty || $0.unsupported != nil) }
    return PairedCell(
      cell: cell,
      rows: timed.filter { times.judges($0) && !$0.metric.hasOtherFacts }
        .compactMap { row($0, others[$0.key], times) },
      turns: timed.map { min($0.blocks.count, others[$0.key]?.blocks.count ?? 0) }.max() ?? 0,
      isStopped: isStopped || cannotPair, isShown: times.isShown(cell))
  }

  /// Pairs two series. Nil if a side has no values, one is not finite, or both are mostly the clock's own cost.
  private func row(
    _ candidate: Series, _ baseline: Series?, _ times: JudgedTimes
  ) -> PairedRow? {
    guard let baseline, let new = candidate.blockMedians, let old = baseline.blockMedians,
      !isUnresolved(candidate, baseline)
    else { return nil }
    let tolerance = tolerances.of(candidate.key).flatMap { tolerance in
      firstMedian(baseline).map(tolerance.logFloor)
    }
    return PairedRow(
      key: candidate.key, metric: candidate.metric, baseline: old,
      differences: PairedRow.differences(candidate, baseline),
      floor: EffectFloor(
        tolerance: tolerance ?? 0,
        layout: EffectFloor.layout(of: firstMedian(baseline), repeated: baseline.batch ?? 1)),
      isAllZero: (new + old).allSatisfy { $0 == 0 },
      isSecondLook: times.isSecondLook(candidate.key), isStill: isStill(candidate))
  }

  /// Whether the first blocks of both sides cannot be distinguished from an empty sample. The first
  /// analysis decides this for good, so that the family of tests stays the same.
  private func isUnresolved(_ new: Series, _ old: Series) -> Bool {
    candidate.machine.isUnresolved(firstMedian(new), new)
      && baseline.machine.isUnresolved(firstMedian(old), old)
  }

  private func firstMedian(_ series: Series) -> Double? {
    Statistics.median(series.blocks.prefix(firstLook).compactMap(Statistics.median))
  }

  /// Whether the instructions of all phases of a time were counted on both sides, perhaps with a
  /// smaller menu, and did not move.
  private func isStill(_ series: Series) -> Bool {
    let cost = candidate.workload(series.cell.workload).costs.first { $0.name == series.phase }
    let phases = cost?.needed ?? [series.phase]
    return phases.allSatisfy { phase in
      func counts(_ record: RunRecord) -> [Series] {
        record.cells.filter {
          $0.metric.id == Metric.instructions.id && $0.phase == phase
            && $0.cell.backend == series.cell.backend && $0.cell.workload == series.cell.workload
            && $0.cell.durability == series.cell.durability && $0.blockMedians != nil
        }
      }
      let old = counts(baseline).byKey
      let pairs = counts(candidate).compactMap { new in old[new.key].map { (new, $0) } }
      return !pairs.isEmpty
        && pairs.allSatisfy { new, old in
          Judge.hard(new, old, tolerance: tolerances.of(new.key))?.verdict == .unchanged
        }
    }
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
