import Basics
import BenchResults
import Foundation

/// The comparison of a run with a baseline, row by row, joined by cell, phase and metric.
///
/// Exact metrics are compared on any machine, instructions if one counter counted them on one kind
/// of processor. In hard metrics (`isDeterministic`) any change beyond the row's tolerance is a verdict. All
/// other metrics are compared on one machine only. The two sides of a gate share a pairing id: the
/// ``SequentialTest`` judges their times, other inexact metrics get ratios alone. In runs measured
/// apart Welch's test judges every row, adjusted over the whole suite. See ``JudgedTimes`` for which
/// times are judged.
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
  /// The rows whose record has other facts of a metric than this program. They count as missing.
  package let contradicted: [Series.Key]
  /// The rows that decide whether a time changed, not its second looks.
  package let deciding: Set<Series.Key>
  /// What 5 % planted in the pairs of each judged time of a gate gave, or nil for runs measured apart.
  package let planted: SequentialTest.Planted?
  /// Whether times that both runs measured, and that should be judged, could not be compared.
  package let lacksTimes: Bool

  /// Compares a run with an earlier one, or one side of a gate with the other.
  ///
  /// - Parameters:
  ///   - derived: The costs and means of the candidate.
  ///   - gatesTimes: Whether inexact metrics get verdicts. Otherwise they get ratios, and a time
  ///     that one run lacks does not matter.
  ///   - mixesProcesses: See ``Comparability``.
  package init(
    candidate: RunRecord, baseline: RunRecord, derived: DerivedTimes? = nil,
    tolerances: Tolerances = Tolerances(), gatesTimes: Bool = true, mixesProcesses: Bool = false
  ) {
    let test =
      gatesTimes
      ? SequentialTest(candidate: candidate, baseline: baseline, tolerances: tolerances) : nil
    let comparability = Comparability(
      candidate: candidate, baseline: baseline, mixesProcesses: mixesProcesses)
    let own = (derived ?? DerivedTimes(candidate), DerivedTimes(baseline))
    let derived = (own.0.alike(own.1), own.1.alike(own.0))
    let times = JudgedTimes(
      candidate, baseline, derived,
      first: test.flatMap(\.plan.screening.first) ?? .max)
    let old = (baseline.cells + derived.1.series).byKey
    isPaired = candidate.isOfOneGate(as: baseline)
    let drifts =
      isPaired || !comparability.comparesTimes ? [:] : Drift.byCell(candidate.cells, old)
    self.gatesTimes = gatesTimes
    var join = RowJoin(
      comparability: comparability, isPaired: isPaired, drifts: drifts, tolerances: tolerances,
      gatesTimes: gatesTimes, times: times,
      sides: (candidate, baseline))
    for series in candidate.cells { join.add(series, old[series.key]) }
    // Costs and means are neither new nor missing by themselves: their phases are.
    for series in derived.0.series { old[series.key].map { join.add(series, $0) } }
    missing = join.addMissing(baseline.cells, candidate.cells)
    uncontrolled = join.timedCells.filter { drifts[$0] == nil }
    contradicted = join.contradicted
    rows = times.agreeing(join.judged().merging(test?.rows() ?? [:]) { _, tested in tested })
    deciding = times.decidingKeys
    planted = test?.planted(share: 0.05)
    let timed = Set(baseline.cells.filter(\.isTime).map(\.key))
    lacksTimes =
      gatesTimes && !comparability.comparesTimes
      && candidate.cells.contains { $0.isTime && timed.contains($0.key) }
    self.comparability = comparability
    self.drifts = drifts.filter { $0.value.isReal }.mapValues { exp($0.change) }
  }
}

extension RunRecord {
  /// Whether both runs are sides of the same gate, so that both were asked for the same.
  package func isOfOneGate(as other: RunRecord) -> Bool {
    pairing.map { $0.id == other.pairing?.id } ?? false
  }
}

extension Series {
  fileprivate var isTime: Bool { metric.isTime && isJudged && blockMedians != nil }
}

/// Joins the rows of two runs. Timed rows wait until their whole family is known.
struct RowJoin {
  typealias Timed = (key: Series.Key, metric: Metric, evidence: LogRatio, floor: EffectFloor)

  let comparability: Comparability
  let isPaired: Bool
  let drifts: [Cell: Drift]
  let tolerances: Tolerances
  let gatesTimes: Bool
  let times: JudgedTimes
  let sides: (candidate: RunRecord, baseline: RunRecord)
  fileprivate var rows: [Series.Key: RowComparison] = [:]
  fileprivate var timed: [Timed] = []
  fileprivate var contradicted: [Series.Key] = []

  /// The cells with timed rows to judge, in order.
  var timedCells: [Cell] { timed.map(\.key.cell).distinct }

  mutating func add(_ new: Series, _ old: Series?) {
    guard !comparability.differentMenus.contains(new.cell.menu), let medians = new.blockMedians
    else { return }
    guard let old, let earlier = old.blockMedians else {
      let isOfMatter = new.isJudged && (gatesTimes || new.metric.isDeterministic)
      // A time that the other side of a gate could not measure is missing, not new.
      let isRefused = isPaired && new.metric.isTime && old?.unsupported != nil
      rows[new.key] = isOfMatter ? RowComparison(verdict: isRefused ? .missing : .new) : nil
      return
    }
    guard new.metric == old.metric, !new.metric.hasOtherFacts else {
      contradicted.append(new.key)
      rows[new.key] = RowComparison(verdict: .missing)
      return
    }
    if !(new.metric.isDeterministic
      ? comparability.obstacle(to: new.metric) == nil : comparability.comparesTimes)
    {
      rows[new.key] = RowComparison(baselineP50: Statistics.median(earlier))
    } else if new.metric.isDeterministic {
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
      $0.isJudged && $0.blockMedians != nil && !measured.contains($0.key)
        && !comparability.differentMenus.contains($0.cell.menu)
        && (gatesTimes || $0.metric.isDeterministic || !cells.contains($0.cell))
    }
    for series in missing {
      rows[series.key] = RowComparison(baselineP50: Summary(series)?.p50, verdict: .missing)
    }
    return missing
  }

  private mutating func addInexact(
    _ new: Series, _ old: Series, _ medians: [Double], _ earlier: [Double]
  ) {
    var row = RowComparison(baselineP50: Statistics.median(earlier))
    let duration = new.metric.unit == .nanoseconds ? row.baselineP50 : nil
    // Even in a gate, blocks of counted metrics are not paired.
    let evidence =
      isPaired && new.metric.isTime
      ? PairedRow.differences(new, old).evidence(0..<min(medians.count, earlier.count))
      : LogRatio(
        candidate: medians, baseline: earlier,
        apart: new.metric.isTime ? EffectFloor.apart(of: duration) : 0)
    let isUnresolved =
      sides.candidate.machine(of: new.cell).isUnresolved(Statistics.median(medians), new)
      && sides.baseline.machine(of: old.cell).isUnresolved(row.baselineP50, old)
    // A gate tests its times by pairs, and does not test its other inexact metrics.
    let isTested = gatesTimes && !isPaired && !isUnresolved && times.judges(new)
    if let evidence {
      let floor = EffectFloor(
        tolerance: row.baselineP50.flatMap { tolerances.of(new.key)?.logFloor(from: $0) } ?? 0,
        layout: EffectFloor.layout(of: duration, repeated: old.batch ?? 1))
      row.show(evidence, floor)
      if isPaired, new.metric.isTime, let then = row.baselineP50 {
        row.paired = row.ratio.map { RowComparison.Figures(baseline: then, now: then * $0) }
      }
      if isTested { timed.append((new.key, new.metric, evidence, floor)) }
    } else if isTested, !times.isSecondLook(new.key) {
      row.verdict = Set(medians + earlier) == [0] ? .unchanged : .inconclusive(.noRatio)
    }
    rows[new.key] = row
  }

  /// Returns every row, with the timed ones judged as one family. A second look only gets a verdict
  /// that proves a change. So do counted metrics, such as touched bytes, with too few blocks.
  func judged() -> [Series.Key: RowComparison] {
    var rows = rows
    let adjusted = Statistics.holm(timed.map(\.evidence.p))
    for (row, p) in zip(timed, adjusted) {
      let verdict =
        drifts[row.key.cell].flatMap { $0.isReal ? .inconclusive(.drift(exp($0.change))) : nil }
        ?? Judge.inexact(row.evidence, metric: row.metric, adjustedP: p, row.floor)
      let isQuiet =
        times.isSecondLook(row.key) || row.evidence.interval == nil && !row.metric.isTime
      rows[row.key]?.adjustedP = p
      rows[row.key]?.verdict =
        isQuiet && [.regressed, .improved].contains(verdict) || !isQuiet ? verdict : nil
    }
    return rows
  }
}
