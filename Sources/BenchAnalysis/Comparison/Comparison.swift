import Basics
import BenchResults
import Foundation

/// One run set against another, row by row, joined by cell, phase and metric.
///
/// Exact metrics are compared on any machine, instructions where one counter counted them on one
/// kind of processor; both are the hard tier, in which any change beyond the row's tolerance is a
/// verdict. The others are compared on one machine only. The two sides of one gate, which have one
/// pairing id, get their times' verdicts from the ``SequentialTest``, and ratios alone of the rest.
/// In runs measured apart every row is tested, the tests adjusted over the whole suite; rows of so
/// few blocks that no outcome could have been significant stay out of that family (Tarone) and are
/// inconclusive. Floors and controls get ratios and no verdict.
package struct Comparison: Sendable {
  package let rows: [Series.Key: RowComparison]
  /// The baseline's series that the candidate lacks, in the baseline's order.
  package let missing: [Series]
  /// Whether they are the sides of one gate: block i of one was measured beside block i of the other,
  /// so that the machine's moods cancel.
  package let isPaired: Bool
  package let gatesTimes: Bool
  package let comparability: Comparability
  /// The ratio by which the control moved, of the cells where it moved for real.
  package let drifts: [Cell: Double]
  /// The cells whose control is absent on a side, so that drift would go unseen.
  package let uncontrolled: [Cell]

  /// Compares a run with an earlier one, or one side of a gate with the other.
  ///
  /// - Parameter gatesTimes: Whether what is not exact gets verdicts where the runs were measured
  ///   apart; otherwise it gets ratios, and what one run did not time is no matter. The pairs of a
  ///   gate are always judged.
  /// - Parameter mixesProcesses: see ``Comparability``.
  package init(
    candidate: RunRecord, baseline: RunRecord, tolerances: Tolerances = Tolerances(),
    gatesTimes: Bool = true, mixesProcesses: Bool = false
  ) {
    let test = SequentialTest(
      candidate: candidate, baseline: baseline, tolerances: tolerances)
    let comparability = Comparability(
      candidate: candidate, baseline: baseline, mixesProcesses: mixesProcesses)
    let old = baseline.cells.byKey
    let drifts =
      test?.drifts ?? (comparability.comparesTimes ? Drift.byCell(candidate.cells, old) : [:])
    isPaired = test != nil
    self.gatesTimes = gatesTimes || test != nil
    var join = RowJoin(
      comparability: comparability, isPaired: isPaired, drifts: drifts, tolerances: tolerances,
      gatesTimes: self.gatesTimes)
    for series in candidate.cells { join.add(series, old[series.key]) }
    missing = join.addMissing(baseline.cells, candidate.cells)
    uncontrolled = test?.uncontrolled ?? join.timedCells.filter { drifts[$0] == nil }
    rows = join.judged().merging(test?.rows() ?? [:]) { _, tested in tested }
    self.comparability = comparability
    self.drifts = drifts.filter { $0.value.isReal }.mapValues { exp($0.change) }
  }
}

/// Joins the rows of two runs; the timed ones wait until their whole family is known.
struct RowJoin {
  typealias Timed = (key: Series.Key, metric: Metric, evidence: LogRatio, floor: EffectFloor)

  let comparability: Comparability
  let isPaired: Bool
  let drifts: [Cell: Drift]
  let tolerances: Tolerances
  let gatesTimes: Bool
  fileprivate var rows: [Series.Key: RowComparison] = [:]
  fileprivate var timed: [Timed] = []

  /// The cells with timed rows to be judged, in order.
  var timedCells: [Cell] { timed.map(\.key.cell).distinct }

  mutating func add(_ new: Series, _ old: Series?) {
    guard !comparability.differentMenus.contains(new.cell.menu), let medians = new.blockMedians
    else { return }
    guard let old, let earlier = old.blockMedians else {
      let isOfMatter = isExpected(new) && (gatesTimes || new.metric.isHard)
      // What the other side of a gate was to time and could not is no news, and no pass.
      let isRefused = isPaired && new.metric.isTime && old?.unsupported != nil
      rows[new.key] = isOfMatter ? RowComparison(verdict: isRefused ? .missing : .new) : nil
      return
    }
    let isHard = new.metric.isHard && old.metric.isHard
    if !(isHard ? comparability.obstacle(to: new.metric) == nil : comparability.comparesTimes) {
      rows[new.key] = RowComparison(baselineP50: Statistics.median(earlier))
    } else if isHard {
      rows[new.key] = Judge.hard(new, old, tolerance: tolerances.of(new.key))
    } else {
      addInexact(new, old, medians, earlier)
    }
  }

  /// Adds what the baseline measured and the candidate did not, which is no pass.
  ///
  /// - Returns: Those series.
  mutating func addMissing(_ old: [Series], _ new: [Series]) -> [Series] {
    let measured = Set(new.filter { $0.blockMedians != nil }.map(\.key))
    let cells = Set(measured.map(\.cell))
    let missing = old.filter {
      isExpected($0) && $0.blockMedians != nil && !measured.contains($0.key)
        && !comparability.differentMenus.contains($0.cell.menu)
        && (gatesTimes || $0.metric.isHard || !cells.contains($0.cell))
    }
    for series in missing {
      rows[series.key] = RowComparison(baselineP50: Summary(series)?.p50, verdict: .missing)
    }
    return missing
  }

  /// Whether it is new or missing where one side alone has it: what only blocks that take turns have, a
  /// run measured alone cannot have.
  private func isExpected(_ series: Series) -> Bool {
    series.isJudged && (isPaired || !series.metric.isSecondary)
  }

  private mutating func addInexact(
    _ new: Series, _ old: Series, _ medians: [Double], _ earlier: [Double]
  ) {
    var row = RowComparison(baselineP50: Statistics.median(earlier))
    // Counted blocks are no pairs, in a gate either.
    let evidence =
      isPaired && new.metric.isTime
      ? PairedRow.differences(new, old).evidence(0..<min(medians.count, earlier.count))
      : LogRatio(candidate: medians, baseline: earlier)
    // A gate's times are tested by their pairs, and its other metrics that are not exact by nothing.
    let isTested = new.isJudged && !new.metric.isCircumstance && gatesTimes && !isPaired
    if let evidence {
      let floor = EffectFloor(
        noise: evidence.learned, drift: abs(drifts[new.cell]?.change ?? 0),
        tolerance: row.baselineP50.flatMap { tolerances.of(new.key)?.logFloor(from: $0) } ?? 0,
        layout: new.metric.isTime
          ? EffectFloor.layout(of: row.baselineP50, repeated: old.batch ?? 1) : 0)
      row.show(evidence, floor)
      if isTested { timed.append((new.key, new.metric, evidence, floor)) }
    } else if isTested {
      row.verdict = Set(medians + earlier) == [0] ? .unchanged : .inconclusive(.noRatio)
    }
    rows[new.key] = row
  }

  /// Every row, the timed ones judged as one family.
  func judged() -> [Series.Key: RowComparison] {
    var rows = rows
    let testable = Statistics.testable(
      smallest: timed.map(\.evidence.smallestP), alpha: Judge.alpha)
    let family = zip(timed, testable).filter(\.1).map(\.0)
    let adjusted = Statistics.holm(family.map(\.evidence.p))
    for (row, p) in zip(family, adjusted) {
      rows[row.key]?.adjustedP = p
      rows[row.key]?.verdict = Judge.inexact(
        row.evidence, metric: row.metric, adjustedP: p, drift: drifts[row.key.cell], row.floor)
    }
    let need = LogRatio.blocksNeeded(tests: Double(timed.count), isPaired: isPaired)
    // Resident memory and faults are counted in two blocks, however many are timed: nobody can measure
    // enough of them, and they get their ratio alone, as in a gate.
    for (row, _) in zip(timed, testable).filter({ !$0.1 }) where row.metric.isTime {
      rows[row.key]?.verdict = .inconclusive(.blocks(have: row.evidence.blocks, need: need))
    }
    return rows
  }
}
