import BenchResults

/// One thing by which backends are set side by side: a column of figures, a row a backend.
package struct CostColumn: Hashable, Sendable {
  package let workload: String
  /// The durability at which it was measured.
  package let durability: String
  /// What it is called within the workload: a deciding cost, a phase with its metric, or a metric.
  package let name: String
  package let metric: Metric
  package let phases: [String]
  /// Those of them without which a backend has no figure; the others it may not have.
  package let needed: [String]
  /// How a block's values become the block's figure.
  package let reading: Reading

  package enum Reading: Hashable, Sendable {
    /// The phases are added pass by pass, and the median of the passes taken.
    case sum
    /// The median of the phase that has the most.
    case largest
    /// The most of any pass of any phase: how far a file grew.
    case most
  }

  /// The key that asks for it: `roundtrip/save`; of a metric of a whole pass the metric's id.
  package var title: String { name == metric.id ? name : "\(workload)/\(name)" }

  /// What one backend's series come to, block by block and in run order, of a sum pass by pass; nil where
  /// there are no values, and of a sum where a phase has none or the phases' passes do not match one to
  /// one.
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

  /// The phases of one pass, each with its blocks, added sample by sample before any median is taken:
  /// medians do not add up. Nil of no phase, and where the samples of two do not match one to one.
  private static func summed(_ phases: [[[Double]]]) -> [[Double]]? {
    guard let first = phases.first,
      phases.allSatisfy({ $0.map(\.count) == first.map(\.count) })
    else { return nil }
    return phases.dropFirst().reduce(first) { sums, more in
      zip(sums, more).map { zip($0, $1).map(+) }
    }
  }

  /// The most that any phase has in each block, of the phases that have values: what cannot compact
  /// has its size all the same.
  private static func most(
    _ blocks: [[[Double]]], of figure: ([Double]) -> Double?
  ) -> [[Double]]? {
    let figures = blocks.map { $0.compactMap(figure) }.filter { !$0.isEmpty }
    guard let count = figures.map(\.count).min() else { return nil }
    return (0..<count).map { block in figures.map { $0[block] }.max().map { [$0] } ?? [] }
  }

  /// What a figure must reach to be told from what measuring its phases costs or misses; 0 where it is
  /// known to be exact.
  func leastTellable(_ series: [Series], on machine: Machine) -> Double {
    if metric.id == Metric.peakHeapBytes.id { return Metric.peakHeapResolution }
    return series.reduce(0) { $0 + (machine.leastTellable($1) ?? 0) }
  }
}
