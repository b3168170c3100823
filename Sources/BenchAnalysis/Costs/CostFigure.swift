import BenchResults

/// What a backend has in a column of a ``CostTable``.
package enum CostEntry: Equatable, Sendable {
  case figure(CostFigure)
  /// No figure, which is never taken for a good one.
  case absent(CostLack)

  package var figure: CostFigure? {
    guard case .figure(let figure) = self else { return nil }
    return figure
  }

  package var reason: String? {
    guard case .absent(let lack) = self else { return nil }
    return lack.reason
  }
}

package enum CostLack: Equatable, Sendable {
  case failed(String)
  /// A phase of it, which is named, takes less than the least possible.
  case belowFloor(String)
  /// The workload makes no sense on the backend, for this reason where one is known.
  case notApplicable(String?)
  case unsupported(String)
  case notMeasured

  /// Short enough for a table.
  package var word: String {
    switch self {
    case .failed: "failed"
    case .belowFloor: "below floor"
    case .notApplicable: "n/a"
    case .unsupported, .notMeasured: "—"
    }
  }

  package var reason: String {
    switch self {
    case .failed(let reason): "failed: \(reason)"
    case .belowFloor(let phase):
      "failed: its \(phase) is below its floor, so that its time cannot be true"
    case .notApplicable(let reason): "does not apply" + (reason.map { ": \($0)" } ?? "")
    case .unsupported(let reason): "is unsupported: \(reason)"
    case .notMeasured: "was not measured"
    }
  }
}

/// A figure of one backend in one column, and what multiple of the best it is.
package struct CostFigure: Equatable, Sendable {
  /// Every value, block by block in run order; a sum of phases has one a pass.
  package let samples: [[Double]]
  package let blocks: [Double]
  package let summary: Summary
  /// The least that can be told from what measuring costs or misses; 0 where that is nothing, or not
  /// known.
  package let least: Double
  /// Whether blocks cannot differ, so that there is nothing to be unsure of.
  package let isExact: Bool
  /// Whether it is of what the process holds, so that no store was read for it.
  package let isHeld: Bool
  /// What multiple of the best it is: 1 for the best itself. Nil where either is 0, where it is above
  /// 1e100, where it is not known which is the best, and of what is no rival.
  package private(set) var multiple: Double?
  /// Whether another's is the best and the intervals of both overlap: too close to call.
  package private(set) var isClose = false
  /// Whether the best is mostly what measuring costs, so that the multiple is the least that it can be.
  package private(set) var isAtLeast = false

  /// Multiples whose products and powers stay numbers.
  private static let largestMultiple = 1e100

  init?(samples: [[Double]], least: Double, isExact: Bool, isHeld: Bool) {
    guard let summary = Summary(blocks: samples, isExact: isExact) else { return nil }
    (self.samples, self.summary, self.least) = (samples, summary, least)
    (self.isExact, self.isHeld) = (isExact, isHeld)
    blocks = samples.compactMap(Statistics.median)
  }

  package var value: Double { summary.p50 }

  /// The 95 % interval of ``value``; nil of fewer than six blocks, and of what is exact.
  package var interval: Interval? { summary.interval }

  /// The figure that multiples are taken of: what cannot be told from ``least`` counts as that.
  package var counted: Double { max(value, least) }

  /// Whether it is mostly what measuring costs.
  package var isTiny: Bool { value < least }

  /// ``least``; nil where there is nothing, or it is not known.
  package var leastTellable: Double? { least > 0 ? least : nil }

  package var hasFewBlocks: Bool { interval == nil && !isExact }

  /// How far it may be off, relative to itself, as 0.04 for ± 4 %; nil where there is no interval, and
  /// of 0.
  package var relativeWidth: Double? { summary.relativeWidth }

  /// What multiple of another it is, as far as it can be said.
  func multiple(of best: CostFigure, _ better: Direction) -> Double? {
    guard best.counted > 0, counted > 0 else { return nil }
    let multiple = better == .lower ? counted / best.counted : best.counted / counted
    return multiple <= Self.largestMultiple ? multiple : nil
  }

  func beside(_ best: CostFigure, isBest: Bool, _ better: Direction) -> CostFigure {
    var figure = self
    figure.multiple = multiple(of: best, better)
    figure.isAtLeast = best.isTiny && counted > best.counted
    figure.isClose = !isBest && summary.isClose(to: best.summary)
    return figure
  }
}
