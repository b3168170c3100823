/// What a backend has in a column of a ``CostSheet``.
public enum CostEntry: Hashable, Sendable {
  /// A figure, and what multiple of the best it is: 1 for the best itself; nil where either is 0, and
  /// of what keeps nothing and so is no rival.
  case figure(CostFigure, multiple: Double?)
  /// No figure, which is never taken for a good one.
  case absent(CostLack)
}

/// Why there is no figure.
public enum CostLack: Hashable, Sendable {
  /// The cell failed, for this reason.
  case failed(String)
  /// The workload makes no sense on the backend, for this reason where one is known.
  case notApplicable(String?)
  /// The metric cannot be had, for this reason.
  case unsupported(String)
  /// Nobody measured it.
  case notMeasured

  /// Short enough for a table.
  public var word: String {
    switch self {
    case .failed: "failed"
    case .notApplicable: "n/a"
    case .unsupported, .notMeasured: "—"
    }
  }

  /// The whole of it.
  public var reason: String {
    switch self {
    case .failed(let reason): "failed: \(reason)"
    case .notApplicable(let reason): "does not apply" + (reason.map { ": \($0)" } ?? "")
    case .unsupported(let reason): "is unsupported: \(reason)"
    case .notMeasured: "was not measured"
    }
  }
}

/// A figure of one backend in one column.
public struct CostFigure: Hashable, Sendable {
  /// The median of the blocks.
  public let value: Double
  /// The blocks, in run order.
  public let blocks: [Double]
  /// What a figure must reach to be told from what measuring costs or misses.
  public let least: Double
  /// Whether blocks cannot differ, so that there is nothing to be unsure of.
  public let isExact: Bool

  /// The figure that multiples are taken of: what cannot be told from ``least`` counts as that.
  public var counted: Double { max(value, least) }

  /// Nil where there are no blocks.
  init?(blocks: [Double], least: Double, isExact: Bool) {
    guard let value = Statistics.median(blocks) else { return nil }
    self.value = value
    self.blocks = blocks
    self.least = least
    self.isExact = isExact
  }
}
