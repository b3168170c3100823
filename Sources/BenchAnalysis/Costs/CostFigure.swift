import BenchResults

/// A backend's entry in a column of a ``CostTable``: a figure, or the reason why there is none.
package enum CostEntry: Equatable, Sendable {
  case figure(CostFigure)
  /// There is no figure. A missing figure never counts as a good one.
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
  /// The named phase takes less time than its floor allows.
  case belowFloor(String)
  /// The workload does not apply to the backend, with the reason if it is known.
  case notApplicable(String?)
  case unsupported(String)
  case notMeasured

  /// A label that is short enough for a table.
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
      "failed: its \(phase) is below its floor, so its time cannot be true"
    case .notApplicable(let reason): "does not apply" + (reason.map { ": \($0)" } ?? "")
    case .unsupported(let reason): "is unsupported: \(reason)"
    case .notMeasured: "was not measured"
    }
  }
}

/// One backend's figure in one column, with its multiple of the best figure.
package struct CostFigure: Equatable, Sendable {
  /// All values by block, in run order. A sum of phases has one value per pass.
  package let samples: [[Double]]
  package let blocks: [Double]
  package let summary: Summary
  /// The smallest figure that stands out from the cost of measuring, or 0 if no such limit is
  /// known.
  package let least: Double
  /// Whether the metric is exact, so blocks cannot differ and nothing is uncertain.
  package let isExact: Bool
  /// Whether the value was read from the process's memory, not from a store.
  package let isHeld: Bool
  /// The figure as a multiple of the best. Nil if either is 0, if the multiple exceeds 1e100, if the best is
  /// unknown, or if this backend may not be the best.
  package internal(set) var best: CostMultiple?
  /// The figure as a multiple of the table's reference, or nil if it has none or the two do not compare.
  package internal(set) var reference: CostMultiple?
  /// Whether no save of it is flushed, unlike those of others in its column. It has a best of its own.
  package internal(set) var isUnflushed = false

  /// The largest multiple whose products and powers stay finite.
  private static let largestMultiple = 1e100

  init?(samples: [[Double]], least: Double, isExact: Bool, isHeld: Bool) {
    guard let summary = Summary(blocks: samples, isExact: isExact) else { return nil }
    (self.samples, self.summary, self.least) = (samples, summary, least)
    (self.isExact, self.isHeld) = (isExact, isHeld)
    blocks = samples.compactMap(Statistics.median)
  }

  package var value: Double { summary.p50 }
  package var multiple: Double? { best?.value }
  package var isClose: Bool { best?.isClose ?? false }

  /// The 95 % confidence interval of ``value``. Nil with too few blocks and for exact metrics.
  package var interval: Interval? { summary.interval }

  /// The value from which multiples are computed: ``value``, but at least ``least``.
  package var counted: Double { max(value, least) }

  /// Whether the value is mostly the cost of measuring.
  package var isUnresolved: Bool { value < least }

  /// ``least``, or nil if it is 0.
  package var resolutionLimit: Double? { least > 0 ? least : nil }

  package var hasFewBlocks: Bool { interval == nil && !isExact }

  /// The half-width of the interval relative to the value, such as 0.04 for ±4 %. Nil without an
  /// interval or if the value is 0.
  package var relativeWidth: Double? { summary.relativeWidth }

  /// Returns this figure as a multiple of the best, or nil if there is no finite multiple.
  func multiple(of best: CostFigure, _ better: Direction) -> Double? {
    guard best.counted > 0, counted > 0 else { return nil }
    let multiple = better == .lower ? counted / best.counted : best.counted / counted
    return multiple <= Self.largestMultiple ? multiple : nil
  }

  /// Returns this figure as a multiple of another backend's in the same column, or nil if there is no
  /// finite multiple.
  func ratio(to other: CostFigure, _ better: Direction) -> ScoreRatio? {
    let sign = better == .lower ? 1.0 : -1
    return multiple(of: other, better).map { value in
      ScoreRatio(value, of: [factor(sign, "own"), other.factor(-sign, "other")])
    }
  }

  private func factor(_ weight: Double, _ cell: String) -> ScoreRatio.Factor {
    ScoreRatio.Factor(weight: weight, cell: [cell], values: countedBlocks, isExact: isExact)
  }

  /// The values of which multiples are made, by block. An exact figure has one.
  var countedBlocks: [Double] { (isExact ? [value] : blocks).map { max($0, least) } }

  func beside(_ other: CostFigure, isOther: Bool, _ better: Direction) -> CostMultiple? {
    ratio(to: other, better).map { ratio in
      CostMultiple(
        value: ratio.value, isClose: isOther && ratio.isClose,
        isAtLeast: other.isUnresolved && counted > other.counted)
    }
  }
}

/// A figure as a multiple of another one of its column.
package struct CostMultiple: Equatable, Sendable {
  /// 1 if both are the same figure.
  package let value: Double
  /// Whether the two figures are of different backends and too close to call.
  package let isClose: Bool
  /// Whether the other is mostly the cost of measuring, so that ``value`` is a lower bound.
  package let isAtLeast: Bool
}
