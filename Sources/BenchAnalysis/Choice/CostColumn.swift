import BenchResults

/// One thing by which storages are set side by side: a column of figures, a row a backend.
public struct CostColumn: Hashable, Sendable {
  /// The workload's id.
  public let workload: String
  /// The durability at which it was measured.
  public let durability: String
  /// What it is called within the workload: a deciding cost, a phase with its metric, or a metric.
  public let name: String
  /// What is measured.
  public let metric: Metric
  /// The phases that it is made of.
  public let phases: [String]
  /// How a block's values become the block's figure.
  public let reading: Reading

  /// How a block's values become the block's figure.
  public enum Reading: Hashable, Sendable {
    /// The phases are added pass by pass, and the median of the passes taken.
    case sum
    /// The median of the phase that has the most.
    case largest
    /// The most of any pass of any phase: how far a file grew.
    case most
  }

  /// The key that asks for it: `roundtrip/save`; of a metric of a whole pass the metric's id.
  public var title: String { name == metric.id ? name : "\(workload)/\(name)" }
}

extension CostColumn {
  /// The block's figures of one backend's series, in run order; nil where there are none, and of a
  /// sum where a phase has no values or the phases' passes do not match one to one.
  func blocks(_ series: [Series]) -> [Double]? {
    let blocks = series.map(\.blocks)
    guard blocks.joined().joined().allSatisfy(\.isFinite) else { return nil }
    switch reading {
    case .sum: return series.count == phases.count ? Self.sums(blocks) : nil
    case .largest: return Self.most(blocks) { Statistics.median($0) }
    case .most: return Self.most(blocks) { $0.max() }
    }
  }

  private static func sums(_ blocks: [[[Double]]]) -> [Double]? {
    guard let first = blocks.first, !first.joined().isEmpty,
      blocks.allSatisfy({ $0.map(\.count) == first.map(\.count) })
    else { return nil }
    let sums = blocks.dropFirst().reduce(first) { sums, more in
      zip(sums, more).map { zip($0, $1).map(+) }
    }
    return sums.compactMap { Statistics.median($0) }
  }

  /// The most that any phase has in each block, of the phases that have values: what cannot compact
  /// has its size all the same.
  private static func most(
    _ blocks: [[[Double]]], of figure: ([Double]) -> Double?
  ) -> [Double]? {
    let figures = blocks.map { $0.compactMap(figure) }.filter { !$0.isEmpty }
    guard let count = figures.map(\.count).min() else { return nil }
    return (0..<count).compactMap { block in figures.map { $0[block] }.max() }
  }

  /// What a figure must reach to be told from what measuring costs or misses; 0 where it is known
  /// to be exact.
  func leastTellable(on machine: Machine) -> Double {
    if metric.id == Metric.peakHeapBytes.id { return Metric.peakHeapResolution }
    return (machine.leastTellable(metric) ?? 0) * Double(phases.count)
  }
}
