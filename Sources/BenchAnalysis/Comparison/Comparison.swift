import Basics
import BenchResults
import Foundation

/// The comparison of a run with a baseline, row by row, joined by cell, phase and metric.
///
/// Exact metrics are compared on any machine, instructions if one counter counted them on one kind
/// of processor. In hard metrics (`isDeterministic`) any change beyond the row's tolerance is a verdict. All
/// other metrics are compared on one machine only. The two sides of a gate share a pairing id: the
/// ``SequentialTest`` judges their times, other inexact metrics get ratios alone. In runs measured
/// apart every row is tested, adjusted over the whole suite. Rows whose few blocks could never be
/// significant stay out of that family (Tarone) and are inconclusive. Floors and controls get
/// ratios but no verdict.
package struct Comparison: Sendable {
  package let rows: [Series.Key: RowComparison]
  /// The baseline's series that the candidate lacks, in the baseline's order.
  package let missing: [Series]
  /// Whether the runs are the sides of one gate: block i of one was measured next to block i of the
  /// other, so that changes in the machine's speed cancel out.
  package let isPaired: Bool
  package let gatesTimes: Bool
  package let comparability: Comparability
  /// The ratio by which the control moved, for cells where the movement is real.
  package let drifts: [Cell: Double]
  /// The cells whose control is missing on a side, so that drift would go unseen.
  package let uncontrolled: [Cell]

  /// Compares a run with an earlier one, or one side of a gate with the other.
  ///
  /// - Parameter gatesTimes: Whether inexact metrics of runs measured apart get verdicts. Otherwise
  ///   they get ratios, and a time that one run lacks does not matter. A gate's pairs are always
  ///   judged.
  /// - Parameter mixesProcesses: See ``Comparability``.
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

/// Joins the rows of two runs. Timed rows wait until their whole family is known.
struct RowJoin {
  typealias Timed = (key: Series.Key, metric: Metric, evidence: LogRatio, floor: EffectFloor)

  let comparability: Comparability
  let isPaired: Bool
  let drifts: [Cell: Drift]
  let tolerances: Tolerances
  let gatesTimes: Bool
  fileprivate var rows: [Series.Key: RowComparison] = [:]
  fileprivate var timed: [Timed] = []

  /// The cells with timed rows to judge, in order.
  var timedCells: [Cell] { timed.map(\.key.cell).distinct }

  mutating func add(_ new: Series, _ old: Series?) {
    guard !comparability.differentMenus.contains(new.cell.menu), let medians = new.blockMedians
    else { return }
    guard let old, let earlier = old.blockMedians else {
      let isOfMatter = isExpected(new) && (gatesTimes || new.metric.isDeterministic)
      // A time that the other side of a gate could not measure is missing, not new.
      let isRefused = isPaired && new.metric.isTime && old?.unsupported != nil
      rows[new.key] = isOfMatter ? RowComparison(verdict: isRefused ? .missing : .new) : nil
      return
    }
    let isDeterministic = new.metric.isDeterministic && old.metric.isDeterministic
    if !(isDeterministic
      ? comparability.obstacle(to: new.metric) == nil : comparability.comparesTimes)
    {
      rows[new.key] = RowComparison(baselineP50: Statistics.median(earlier))
    } else if isDeterministic {
      rows[new.key] = Judge.hard(new, old, tolerance: tolerances.of(new.key))
    } else {
      addInexact(new, old, medians, earlier)
    }
  }

  /// Adds the rows that the baseline measured and the candidate did not, as missing.
  ///
  /// - Returns: The baseline's series of these rows.
  mutating func addMissing(_ old: [Series], _ new: [Series]) -> [Series] {
    let measured = Set(new.filter { $0.blockMedians != nil }.map(\.key))
    let cells = Set(measured.map(\.cell))
    let missing = old.filter {
      isExpected($0) && $0.blockMedians != nil && !measured.contains($0.key)
        && !comparability.differentMenus.contains($0.cell.menu)
        && (gatesTimes || $0.metric.isDeterministic || !cells.contains($0.cell))
    }
    for series in missing {
      rows[series.key] = RowComparison(baselineP50: Summary(series)?.p50, verdict: .missing)
    }
    return missing
  }

  /// Whether a series is new or missing if only one side has it. A run measured alone cannot have
  /// secondary metrics, which need blocks that alternate.
  private func isExpected(_ series: Series) -> Bool {
    series.isJudged && (isPaired || !series.metric.isSecondary)
  }

  private mutating func addInexact(
    _ new: Series, _ old: Series, _ medians: [Double], _ earlier: [Double]
  ) {
    var row = RowComparison(baselineP50: Statistics.median(earlier))
    // Even in a gate, blocks of counted metrics are not paired.
    let evidence =
      isPaired && new.metric.isTime
      ? PairedRow.differences(new, old).evidence(0..<min(medians.count, earlier.count))
      : LogRatio(candidate: medians, baseline: earlier)
    // A gate tests its times by pairs, and does not test its other inexact metrics.
    let isTested = new.isJudged && !new.metric.isContext && gatesTimes && !isPaired
    if let evidence {
      let floor = EffectFloor(
        noise: evidence.noise, drift: abs(drifts[new.cell]?.change ?? 0),
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

  /// Returns every row, with the timed ones judged as one family.
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
    // Counted metrics such as touched bytes have few blocks, however many are timed. They keep
    // their ratio alone, as in a gate.
    for (row, _) in zip(timed, testable).filter({ !$0.1 }) where row.metric.isTime {
      rows[row.key]?.verdict = .inconclusive(.blocks(have: row.evidence.blocks, need: need))
    }
    return rows
  }
}
