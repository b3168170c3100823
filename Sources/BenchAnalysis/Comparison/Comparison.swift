import BenchResults
import Foundation

/// One run set against another, row by row, joined by cell, phase and metric.
///
/// Exact metrics are compared on any machine. The others are compared on one machine only, each row
/// tested, the tests adjusted over the whole suite; rows of so few blocks that no outcome could have
/// been significant stay out of that family (Tarone) and are inconclusive. Floors and controls get
/// ratios and no verdict.
public struct Comparison: Sendable {
  /// The rows by key, those missing from the candidate included.
  public let rows: [Series.Key: RowComparison]
  /// The baseline's series that the candidate lacks, in the baseline's order.
  public let missing: [Series]
  /// How the blocks of the two belong together.
  public let design: Design
  /// What may be compared.
  public let comparability: Comparability
  /// The ratio by which the control moved, of the cells where it moved for real.
  public let drifts: [Cell: Double]
  /// The cells whose control is absent on a side, so that drift would go unseen.
  public let uncontrolled: [Cell]

  /// Compares a run with an earlier one.
  public init(candidate: RunRecord, baseline: RunRecord, design: Design = .unpaired) {
    let comparability = Comparability(candidate: candidate, baseline: baseline)
    let old = Dictionary(baseline.cells.map { ($0.key, $0) }) { first, _ in first }
    let drifts =
      comparability.comparesTimes
      ? Drift.byCell(candidate.cells, old, design: design) : [:]
    var pairs = Pairs(comparability: comparability, design: design, drifts: drifts)
    for series in candidate.cells { pairs.add(series, old[series.key]) }
    missing = pairs.addMissing(baseline.cells, candidate.cells)
    uncontrolled = pairs.timedCells.filter { drifts[$0] == nil }
    rows = pairs.judged()
    self.design = design
    self.comparability = comparability
    self.drifts = drifts.filter { $0.value.isReal }.mapValues { exp($0.change) }
  }
}
