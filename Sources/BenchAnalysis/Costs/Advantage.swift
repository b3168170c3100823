import Basics
import Foundation

/// The ratio of two costs or scores, and how precisely the blocks determine it.
package struct ScoreRatio: Equatable, Sendable {
  package let value: Double
  /// The 95 % interval of the ratio of the typical blocks, by Welch's t. It includes ``value``, which is a ratio of
  /// medians. Nil with too few blocks.
  package let interval: Interval?
  package let evidence: Evidence

  package enum Evidence: Equatable, Sendable {
    /// All figures that count are exact.
    case exact
    /// `blocks` is the number of the figure with the fewest.
    case sampled(blocks: Int)
    /// Fewer blocks than ``MeanSum/fewest``.
    case tooFew(blocks: Int)
  }

  /// A figure of the ratio. Its logarithm counts `weight` times.
  struct Factor {
    let weight: Double
    /// The cell that it belongs to, among those of the ratio.
    let cell: [String]
    /// The values by block. An exact figure has one.
    let values: [Double]
    let isExact: Bool

    /// A block of 0 has no logarithm and counts as the smallest positive number.
    fileprivate var logs: [Double] { values.map { weight * log(max($0, .leastNormalMagnitude)) } }
  }

  /// Finds the interval of a ratio that is a product of powers of figures.
  ///
  /// A block is a process. Figures of one cell vary together, so their logarithms are first added block by block.
  /// Cells share no process, so these sums are independent.
  init(_ value: Double, of factors: [Factor]) {
    self.value = value
    let sampled = factors.filter { !$0.isExact }
    guard let fewest = sampled.map(\.values.count).min() else {
      (interval, evidence) = (Interval(low: value, high: value), .exact)
      return
    }
    let sums = sampled.grouped { $0.cell + ["\($0.values.count)"] }.map { _, parts in
      parts.dropFirst().reduce(parts[0].logs) { zip($0, $1.logs).map(+) }
    }
    let exact = factors.filter(\.isExact).reduce(0.0) { $0 + $1.logs[0] }
    let sum = MeanSum(sums.map { (weight: 1, values: $0) })
    interval = sum.map { $0.interval.map { exp($0 + exact) }.including(value) }
    evidence = sum == nil ? .tooFew(blocks: fewest) : .sampled(blocks: fewest)
  }

  /// Whether the interval includes 1. Tables and answers both ask this, so that they agree.
  package var isClose: Bool { interval?.contains(1) ?? false }

  /// A lead of less than 5 % is level, because that is not a reason to choose a backend.
  package static let leastLead = 1.05
  /// Whether a lead, a ratio of 1 or more, is too close to call or too small to choose by.
  package var isLevel: Bool { value < Self.leastLead || isClose }
  /// Whether there is a lead, but no interval shows how surely.
  package var isUnproven: Bool { !isLevel && interval == nil }
}

/// How far one backend is ahead of another, with the evidence.
package struct Advantage: Sendable {
  package let first: String
  /// The backend that is behind or level.
  package let other: String
  /// The other's score over the first's: 1 or more.
  package let measure: ScoreRatio

  package var ratio: Double { measure.value }
  /// The bounds of ``ratio``, or nil with too few blocks.
  package var interval: Interval? { measure.interval }
  package var evidence: ScoreRatio.Evidence { measure.evidence }
  package var isClose: Bool { measure.isLevel }
  package var isUnproven: Bool { measure.isUnproven }
}
