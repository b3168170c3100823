import BenchResults

/// A cost or a metric by which backends are compared: one column of a ``CostTable``.
package struct CostColumn: Hashable, Sendable {
  package let workload: String
  package let durability: String
  /// The name within the workload: a deciding cost, a phase with its metric, or a metric.
  package let name: String
  package let metric: Metric
  package let phases: [String]
  /// The phases without which a backend has no figure. The other phases are optional.
  package let needed: [String]
  /// Whether it is the time of a save, which includes a flush if the backend flushes each save.
  package let saves: Bool
  /// How a block's values become one figure.
  package let reading: Reading

  package enum Reading: Hashable, Sendable {
    /// The phases are added pass by pass, and the figure is the median of the passes.
    case sum
    /// The largest of the phases' medians.
    case largest
    /// The largest value of any pass and phase: the size that a file grew to.
    case most
  }

  /// The key that selects this column, such as `roundtrip/save`. For a whole pass it is the metric's id.
  package var title: String { name == metric.id ? name : "\(workload)/\(name)" }

  /// Returns the values of one backend's series by block, in run order. A sum has one value per
  /// pass. Returns nil without values. A sum is also nil if a needed phase is missing, or if the
  /// phases' passes do not match one to one.
  func samples(_ series: [Series]) -> [[Double]]? {
    let blocks = series.map(\.blocks)
    guard blocks.joined().joined().allSatisfy(\.isFinite) else { return nil }
    switch reading {
    case .sum:
      guard Set(needed).isSubset(of: series.map(\.phase)), !blocks.joined().joined().isEmpty
      else { return nil }
      return Self.summed(blocks)
    case .largest: return Self.most(blocks) { Statistics.median($0) }
    case .most: return Self.most(blocks) { $0.max() }
    }
  }

  /// Adds the phases sample by sample before any median is taken, because medians do not add up.
  /// Returns nil without phases, or if the samples of two phases do not match one to one.
  static func summed(_ phases: [[[Double]]]) -> [[Double]]? {
    guard let first = phases.first,
      phases.allSatisfy({ $0.map(\.count) == first.map(\.count) })
    else { return nil }
    return phases.dropFirst().reduce(first) { sums, more in
      zip(sums, more).map { zip($0, $1).map(+) }
    }
  }

  /// Returns the largest figure of any phase in each block. Phases without values are skipped,
  /// because a backend that cannot compact still has a size.
  private static func most(
    _ blocks: [[[Double]]], of figure: ([Double]) -> Double?
  ) -> [[Double]]? {
    let figures = blocks.map { $0.compactMap(figure) }.filter { !$0.isEmpty }
    guard let count = figures.map(\.count).min() else { return nil }
    return (0..<count).map { block in figures.map { $0[block] }.max().map { [$0] } ?? [] }
  }

  /// The smallest figure that stands out from the cost or the resolution of measuring its phases,
  /// or 0 if no such limit is known.
  func resolutionLimit(_ series: [Series], on machine: Machine) -> Double {
    if metric.id == Metric.peakHeapBytes.id { return Metric.peakHeapResolution }
    return series.reduce(0) { $0 + (machine.resolutionLimit($1) ?? 0) }
  }
}
