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
public struct Comparison: Sendable {
  /// The rows by key, those missing from the candidate included.
  public let rows: [Series.Key: RowComparison]
  /// The baseline's series that the candidate lacks, in the baseline's order.
  public let missing: [Series]
  /// How the blocks of the two belong together.
  public let design: Design
  /// Whether times got verdicts.
  public let gatesTimes: Bool
  /// What may be compared.
  public let comparability: Comparability
  /// The ratio by which the control moved, of the cells where it moved for real.
  public let drifts: [Cell: Double]
  /// The cells whose control is absent on a side, so that drift would go unseen.
  public let uncontrolled: [Cell]

  /// Compares a run with an earlier one, or one side of a gate with the other.
  ///
  /// - Parameter gatesTimes: Whether what is not exact gets verdicts where the runs were measured
  ///   apart; otherwise it gets ratios, and what one run did not time is no matter. The pairs of a
  ///   gate are always judged.
  public init(
    candidate: RunRecord, baseline: RunRecord, tolerances: Tolerances = Tolerances(),
    gatesTimes: Bool = true
  ) {
    let test = SequentialTest(
      candidate: candidate, baseline: baseline, tolerances: tolerances)
    let comparability = Comparability(candidate: candidate, baseline: baseline)
    let old = Dictionary(baseline.cells.map { ($0.key, $0) }) { first, _ in first }
    let drifts =
      test?.drifts ?? (comparability.comparesTimes ? Drift.byCell(candidate.cells, old) : [:])
    design = test == nil ? .unpaired : .paired
    self.gatesTimes = gatesTimes || test != nil
    var pairs = Pairs(
      comparability: comparability, design: design, drifts: drifts, tolerances: tolerances,
      gatesTimes: self.gatesTimes)
    for series in candidate.cells { pairs.add(series, old[series.key]) }
    missing = pairs.addMissing(baseline.cells, candidate.cells)
    uncontrolled = test?.uncontrolled ?? pairs.timedCells.filter { drifts[$0] == nil }
    rows = pairs.judged().merging(test?.rows() ?? [:]) { _, tested in tested }
    self.comparability = comparability
    self.drifts = drifts.filter { $0.value.isReal }.mapValues { exp($0.change) }
  }
}
