import Basics
import BenchResults
import Foundation

/// How many times as much one thing costs as another, and how far the blocks can tell.
package struct ScoreRatio: Equatable, Sendable {
  package let value: Double
  /// Between which bounds it lies, as far as the blocks can tell; nil where they are too few.
  package let interval: Interval?
  package let evidence: Evidence

  package enum Evidence: Equatable, Sendable {
    /// Nothing that counts differs from block to block.
    case exact
    /// A 95 % percentile bootstrap over blocks, seeded; of the figure with the fewest blocks.
    case bootstrap(blocks: Int)
    /// The farthest blocks of either, since so few say no more.
    case range(blocks: Int)
    /// Too few blocks to tell at all.
    case tooFew(blocks: Int)
  }

  /// The fewest blocks whose range says anything.
  package static let fewestBlocks = 3
}

/// How far one backend is ahead of another, and what says so.
package struct Lead: Sendable {
  package let first: String
  /// What is behind, or level.
  package let other: String
  /// The other's score over the first's: 1 or more.
  package let measure: ScoreRatio

  package var ratio: Double { measure.value }
  /// Between which bounds ``ratio`` lies; nil where the blocks are too few.
  package var interval: Interval? { measure.interval }
  package var evidence: ScoreRatio.Evidence { measure.evidence }

  /// Scores less than 5 % apart are level: that is no reason to choose a backend by.
  package static let leastRatio = 1.05

  package var isClose: Bool { ratio < Self.leastRatio || (interval.map { $0.low <= 1 } ?? false) }
  /// Whether the first is ahead for all that is known, and nothing says how surely.
  package var isUnproven: Bool { !isClose && interval == nil }
}

extension Lead {
  /// Sets two figures of one column side by side, of which the first is not the worse.
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
  /// The interval, but for the last digits of logarithms, by which a figure that never differs would lie
  /// beside it.
  fileprivate func leaving(_ value: Double) -> Interval {
    func exact(_ end: Double) -> Double { abs(end - value) < 1e-9 * value ? value : end }
    return Interval(low: exact(low), high: exact(high))
  }
}

/// Sides of comparisons, each a list of the same columns' figures, whose blocks are resampled together.
///
/// In each resample the blocks of every backend's cell are drawn once, for all of its figures and all
/// comparisons: a block is a process, which cells do not share, but what one of them measures goes up
/// and down together. Every ratio of two sides is then a difference of logarithms within a resample.
struct ScoreSides {
  typealias Term = (weighted: WeightedColumn, figure: CountedFigure)

  private let sides: [[Part]]
  private let total: Double
  /// The logarithm of each side's score, a row a resample; empty where no ratio needs it.
  private let resamples: [[Double]]

  /// What is drawn by itself: so many blocks of a backend's cell.
  private static func source(_ term: Term) -> [String] {
    let column = term.weighted.column
    return [term.figure.backend, column.workload, column.durability, "\(term.figure.blocks.count)"]
  }

  /// A figure in logarithms of what counts of its blocks; the less the better, whatever the metric.
  private struct Part {
    let backend: String
    let weight: Double
    let isExact: Bool
    /// The place of its source among those that are drawn.
    let source: Int
    /// In ascending order; an exact figure has but one. A block of 0 has no logarithm, and is as far
    /// below the others as can be.
    let logs: [Double]
    /// The places in the run of ``logs``.
    let places: [Int]

    init(_ term: Term, source: Int) {
      let sign = term.weighted.column.metric.better == .lower ? 1.0 : -1
      let logs = term.figure.blocks.map { sign * log(max($0, .leastNormalMagnitude)) }
      let places = logs.indices.sorted { (logs[$0], $0) < (logs[$1], $1) }
      (backend, weight) = (term.figure.backend, term.weighted.weight)
      isExact = term.figure.figure.isExact
      (self.source, self.places) = (source, places)
      self.logs = places.map { logs[$0] }
    }

    /// The weighted median of a resample, of which it is known how often each source's blocks are in it.
    func median(_ drawn: [[Int]]) -> Double {
      guard logs.count > 1 else { return weight * logs[0] }
      return weight * MiddleRanks(draws: drawn[source], of: places).median(ofSorted: logs)
    }
  }

  init(_ sides: [[Term]]) {
    let sources = sides.joined().uniqued(on: Self.source)
    let counts = sources.map { $0.figure.blocks.count }
    let places = Dictionary(uniqueKeysWithValues: zip(sources.map(Self.source), sources.indices))
    let parts = sides.map { $0.map { Part($0, source: places[Self.source($0), default: 0]) } }
    let total = sides.first?.reduce(0) { $0 + $1.weighted.weight } ?? 0
    let most = parts.joined().filter { !$0.isExact }.map(\.logs.count).max() ?? 0
    (self.sides, self.total) = (parts, total)
    guard most >= Statistics.fewestForMedianInterval else {
      resamples = []
      return
    }
    resamples = Statistics.resampled { generator in
      let drawn = counts.map { $0 == 1 ? [1] : MiddleRanks.draws(count: $0, &generator) }
      return parts.map { side in side.reduce(0) { $0 + $1.median(drawn) } / total }
    }
  }

  /// How surely one side's score is so many times another's.
  func ratio(_ value: Double, of side: Int, to other: Int) -> ScoreRatio {
    let fewest = (sides[side] + sides[other]).filter { !$0.isExact }.map(\.logs.count).min()
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
        value: value, interval: Statistics.percentiles(of: drawn)?.map(exp).leaving(value),
        evidence: .bootstrap(blocks: fewest))
    }
  }

  /// The least and the most that the one's blocks can be over the other's; of a backend's figure over
  /// itself 1.
  private func range(of side: Int, to other: Int) -> Interval {
    var (low, high) = (0.0, 0.0)
    for (own, its) in zip(sides[side], sides[other]) where own.backend != its.backend {
      low += own.weight * (own.logs[0] - its.logs[its.logs.count - 1])
      high += own.weight * (own.logs[own.logs.count - 1] - its.logs[0])
    }
    return Interval(low: exp(low / total), high: exp(high / total))
  }
}
