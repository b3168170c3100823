import Basics
import BenchResults
import Foundation

/// The ratio of two costs or scores, and how precisely the blocks determine it.
package struct ScoreRatio: Equatable, Sendable {
  package let value: Double
  /// The bounds of ``value`` according to the blocks, or nil with too few blocks.
  package let interval: Interval?
  package let evidence: Evidence

  package enum Evidence: Equatable, Sendable {
    /// All figures that count are exact.
    case exact
    /// A seeded 95 % percentile bootstrap over blocks. `blocks` is the number of the figure with the fewest.
    case bootstrap(blocks: Int)
    /// The most extreme blocks of either side, because there are too few for a bootstrap.
    case range(blocks: Int)
    /// Too few blocks for any interval.
    case tooFew(blocks: Int)
  }

  /// The fewest blocks for a meaningful range.
  package static let fewestBlocks = 3
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

  /// Scores less than 5 % apart are level, because that is not a reason to choose a backend.
  package static let leastRatio = 1.05

  package var isClose: Bool { ratio < Self.leastRatio || (interval.map { $0.low <= 1 } ?? false) }
  /// Whether the first is ahead, but no interval shows how surely.
  package var isUnproven: Bool { !isClose && interval == nil }
}

extension Advantage {
  /// Compares two figures of one column. The first must not be the worse one.
  init(_ first: CountedFigure, over other: CountedFigure, in column: CostColumn) {
    let weighted = WeightedColumn(column: column, weight: 1)
    let sides = ScoreSides([first, other].map { [(weighted, $0)] })
    self.init(
      first: first.backend, other: other.backend,
      measure: sides.ratio(
        column.metric.better == .lower
          ? other.counts / first.counts : first.counts / other.counts, of: 1, to: 0))
  }
}

extension Interval {
  /// Returns the interval after setting bounds to a value that they equal up to rounding. Otherwise
  /// an exact figure could lie outside its own interval.
  fileprivate func snapped(to value: Double) -> Interval {
    func exact(_ end: Double) -> Double { abs(end - value) < 1e-9 * value ? value : end }
    return Interval(low: exact(low), high: exact(high))
  }
}

/// Resamples the blocks of several sides together. Each side is a list of figures of the same columns.
///
/// A resample draws the blocks of every backend's cell once, for all of its figures and all comparisons.
/// A block is a process: cells share none, but the figures of one block vary together. Every ratio of two
/// sides is a difference of logarithms within a resample.
struct ScoreSides {
  typealias Term = (weighted: WeightedColumn, figure: CountedFigure)

  private let sides: [[Part]]
  private let total: Double
  /// The logarithms of all sides' scores, one row per resample. Empty if no ratio needs them.
  private let resamples: [[Double]]

  /// The key of blocks that are drawn together: a backend's cell and the number of its blocks.
  private static func source(_ term: Term) -> [String] {
    let column = term.weighted.column
    return [term.figure.backend, column.workload, column.durability, "\(term.figure.blocks.count)"]
  }

  /// A figure as logarithms of its counted blocks. Less is better, whatever the metric.
  private struct Part {
    let backend: String
    let isExact: Bool
    /// An exact figure has one. A block of 0 has no logarithm and counts as the smallest positive number.
    let logs: WeightedValues

    init(_ term: Term, source: Int) {
      let sign = term.weighted.column.metric.better == .lower ? 1.0 : -1
      (backend, isExact) = (term.figure.backend, term.figure.figure.isExact)
      logs = WeightedValues(
        term.figure.blocks.map { sign * log(max($0, .leastNormalMagnitude)) },
        weight: term.weighted.weight, source: source)
    }
  }

  init(_ sides: [[Term]]) {
    let sources = sides.joined().uniqued(on: Self.source)
    let counts = sources.map { $0.figure.blocks.count }
    let places = Dictionary(uniqueKeysWithValues: zip(sources.map(Self.source), sources.indices))
    let parts = sides.map { $0.map { Part($0, source: places[Self.source($0), default: 0]) } }
    let total = sides.first?.reduce(0) { $0 + $1.weighted.weight } ?? 0
    let most = parts.joined().filter { !$0.isExact }.map(\.logs.sorted.count).max() ?? 0
    (self.sides, self.total) = (parts, total)
    guard most >= Statistics.fewestForMedianInterval else {
      resamples = []
      return
    }
    resamples = Statistics.resampledSums(of: parts.map { $0.map(\.logs) }, counts: counts)
      .map { sums in sums.map { $0 / total } }
  }

  /// Returns the ratio of two sides' scores with its bounds and evidence.
  func ratio(_ value: Double, of side: Int, to other: Int) -> ScoreRatio {
    let fewest = (sides[side] + sides[other]).filter { !$0.isExact }.map(\.logs.sorted.count).min()
    guard let fewest else {
      return ScoreRatio(value: value, interval: Interval(low: value, high: value), evidence: .exact)
    }
    switch fewest {
    case ..<ScoreRatio.fewestBlocks:
      return ScoreRatio(value: value, interval: nil, evidence: .tooFew(blocks: fewest))
    case ..<Statistics.fewestForMedianInterval:
      return ScoreRatio(
        value: value, interval: range(of: side, to: other), evidence: .range(blocks: fewest))
    default:
      let drawn = resamples.map { $0[side] - $0[other] }
      return ScoreRatio(
        value: value, interval: Statistics.percentiles(of: drawn)?.map(exp).snapped(to: value),
        evidence: .bootstrap(blocks: fewest))
    }
  }

  /// Returns the smallest and the largest ratio of the two sides' blocks. A backend's figure over
  /// itself is 1.
  private func range(of side: Int, to other: Int) -> Interval {
    var (low, high) = (0.0, 0.0)
    for (own, its) in zip(sides[side], sides[other]) where own.backend != its.backend {
      let (own, its) = (own.logs, its.logs)
      low += own.weight * (own.sorted[0] - its.sorted[its.sorted.count - 1])
      high += own.weight * (own.sorted[own.sorted.count - 1] - its.sorted[0])
    }
    return Interval(low: exp(low / total), high: exp(high / total))
  }
}
