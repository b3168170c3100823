import BenchResults
import Foundation

/// Gathers the rows of a comparison; the timed ones wait until their whole family is known.
struct Pairs {
  private struct Timed {
    var key: Series.Key
    var metric: Metric
    var evidence: LogRatio
    var tolerance: Double
  }

  private let comparability: Comparability
  private let design: Design
  private let drifts: [Cell: Drift]
  private let tolerances: Tolerances
  private let gatesTimes: Bool
  private let differentMenus: Set<String>
  private var rows: [Series.Key: RowComparison] = [:]
  private var timed: [Timed] = []

  init(
    comparability: Comparability, design: Design, drifts: [Cell: Drift], tolerances: Tolerances,
    gatesTimes: Bool
  ) {
    self.comparability = comparability
    self.design = design
    self.drifts = drifts
    self.tolerances = tolerances
    self.gatesTimes = gatesTimes
    differentMenus = Set(comparability.differentMenus)
  }

  /// The cells with timed rows to be judged, in order.
  var timedCells: [Cell] {
    var seen: Set<Cell> = []
    return timed.map(\.key.cell).filter { seen.insert($0).inserted }
  }

  /// Adds a series of the candidate and the baseline's of the same key.
  mutating func add(_ new: Series, _ old: Series?) {
    guard !differentMenus.contains(new.cell.menu), let medians = new.blockMedians else { return }
    guard let old, let earlier = old.blockMedians else {
      let isOfMatter = new.isJudged && (gatesTimes || new.metric.isHard)
      rows[new.key] = isOfMatter ? RowComparison(verdict: .new) : nil
      return
    }
    if new.metric.isHard && old.metric.isHard {
      rows[new.key] =
        comparability.compares(new.metric)
        ? Judge.hard(new, old, tolerance: tolerances.of(new.key))
        : RowComparison(baselineP50: Statistics.median(earlier))
    } else if comparability.comparesTimes {
      addInexact(new, medians, earlier)
    } else {
      rows[new.key] = RowComparison(baselineP50: Statistics.median(earlier))
    }
  }

  /// Adds what the baseline measured and the candidate did not, which is no pass.
  ///
  /// - Returns: Those series.
  mutating func addMissing(_ old: [Series], _ new: [Series]) -> [Series] {
    let measured = Set(new.filter { $0.blockMedians != nil }.map(\.key))
    let cells = Set(measured.map(\.cell))
    let missing = old.filter {
      $0.isJudged && $0.blockMedians != nil && !measured.contains($0.key)
        && !differentMenus.contains($0.cell.menu)
        && (gatesTimes || $0.metric.isHard || !cells.contains($0.cell))
    }
    for series in missing {
      rows[series.key] = RowComparison(baselineP50: Summary(series)?.p50, verdict: .missing)
    }
    return missing
  }

  private mutating func addInexact(_ new: Series, _ medians: [Double], _ earlier: [Double]) {
    var row = RowComparison(baselineP50: Statistics.median(earlier))
    // Counted blocks are no pairs, in a gate either.
    let design = new.metric.isTime ? design : .unpaired
    let evidence = LogRatio(candidate: medians, baseline: earlier, design: design)
    let tolerance =
      Statistics.median(earlier).flatMap { tolerances.of(new.key)?.logFloor(from: $0) } ?? 0
    if let evidence {
      row.ratio = exp(evidence.estimate)
      row.interval = Interval(low: exp(evidence.interval.low), high: exp(evidence.interval.high))
      let floor = Judge.floor(evidence, drifts[new.cell], tolerance: tolerance)
      row.threshold = exp(floor.flagged)
    }
    if isTested(new), let evidence {
      timed.append(
        Timed(key: new.key, metric: new.metric, evidence: evidence, tolerance: tolerance))
    } else if isTested(new) {
      row.verdict = Set(medians + earlier) == [0] ? .unchanged : .inconclusive(.noRatio)
    }
    rows[new.key] = row
  }

  /// Whether its verdict comes from here: a gate's times are tested by their pairs, and its other
  /// metrics that are not exact by nothing.
  private func isTested(_ series: Series) -> Bool {
    series.isJudged && gatesTimes && design == .unpaired
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
        row.evidence, metric: row.metric, adjustedP: p, drift: drifts[row.key.cell],
        tolerance: row.tolerance)
    }
    let need = LogRatio.blocksNeeded(family: timed.count, design: design, alpha: Judge.alpha)
    for (row, _) in zip(timed, testable).filter({ !$0.1 }) {
      rows[row.key]?.verdict = .inconclusive(.blocks(have: row.evidence.blocks, need: need))
    }
    return rows
  }
}
