import Basics
import BenchResults
import Foundation

/// How many times as much one thing costs as another, and how far the blocks can tell.
package struct ScoreRatio: Equatable, Sendable {
  /// The ratio.
  package let value: Double
  /// Between which bounds it lies, as far as the blocks can tell; nil where they are too few.
  package let interval: Interval?
  /// Where the bounds are from.
  package let evidence: Evidence

  /// What bounds of a ratio are from.
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
  /// What is ahead.
  package let first: String
  /// What is behind, or level.
  package let other: String
  /// The other's score over the first's: 1 or more.
  package let measure: ScoreRatio

  /// The other's score over the first's: 1 or more.
  package var ratio: Double { measure.value }
  /// Between which bounds ``ratio`` lies; nil where the blocks are too few.
  package var interval: Interval? { measure.interval }
  /// Where the bounds are from.
  package var evidence: ScoreRatio.Evidence { measure.evidence }

  /// Scores less than 5 % apart are level: that is no reason to choose a backend by.
  package static let leastRatio = 1.05

  /// Whether the two are too close to call.
  package var isClose: Bool { ratio < Self.leastRatio || (interval.map { $0.low <= 1 } ?? false) }
  /// Whether the first is ahead for all that is known, and nothing says how surely.
  package var isUnproven: Bool { !isClose && interval == nil }
}

extension Lead {
  /// Sets two figures of one column side by side, of which the first is not the worse.
  init(_ first: CountedFigure, over other: CountedFigure, in column: CostColumn) {
    let weighted = WeightedColumn(column: column, weight: 1)
    let sides = ScoreSides([first, other].map { [SideTerm(weighted: weighted, figure: $0)] })
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

/// One figure of one side of a comparison, with its weight.
struct SideTerm {
  let weighted: WeightedColumn
  let figure: CountedFigure
}

/// Sides of comparisons, each a list of the same columns' figures, whose blocks are resampled together.
///
/// In each resample the blocks of every backend's cell are drawn anew, once for all of its figures and
/// all comparisons: a block is a process, which cells do not share, but what one of them measures goes
/// up and down together. Every ratio of two sides is then a difference of logarithms within a resample.
struct ScoreSides {
  private let sides: [[Part]]
  private let total: Double
  /// The logarithm of each side's score, a row a resample; empty where no ratio needs it.
  private let resamples: [[Double]]

  /// One term in logarithms of what counts.
  private struct Part {
    let backend: String
    let weight: Double
    let isExact: Bool
    let logs: BlockLogs

    /// The weighted logarithm.
    func resampled(_ drawn: [[Int]]) -> Double { weight * logs.median(drawn) }
  }

  init(_ sides: [[SideTerm]]) {
    var slots = BlockSlots()
    let parts = sides.map { side in
      side.map {
        Part(
          backend: $0.figure.backend, weight: $0.weighted.weight, isExact: $0.figure.isExact,
          logs: BlockLogs($0, &slots))
      }
    }
    let total = sides.first?.reduce(0) { $0 + $1.weighted.weight } ?? 0
    let most = parts.joined().filter { !$0.isExact }.map(\.logs.count).max() ?? 0
    self.sides = parts
    self.total = total
    resamples =
      most < Statistics.fewestForMedianInterval
      ? []
      : Statistics.resampled { generator in
        let drawn = slots.drawn(&generator)
        return parts.map { side in side.reduce(0) { $0 + $1.resampled(drawn) } / total }
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
    let pairs = zip(sides[side], sides[other]).filter { $0.backend != $1.backend }
    let low = pairs.reduce(0) { $0 + $1.0.weight * ($1.0.logs.least - $1.1.logs.most) }
    let high = pairs.reduce(0) { $0 + $1.0.weight * ($1.0.logs.most - $1.1.logs.least) }
    return Interval(low: exp(low / total), high: exp(high / total))
  }
}

/// What is resampled by itself: the blocks of a backend's cell, which are processes. All figures of a
/// cell are of the same ones.
private struct BlockSlots {
  private struct Source: Hashable {
    var backend: String
    var workload: String
    var durability: String
    var count: Int
  }

  private var sources: [Source: Int] = [:]
  private var counts: [Int] = []

  /// The slot of so many blocks of a backend's cell: the same for the same ones.
  mutating func slot(_ backend: String, _ column: CostColumn, count: Int) -> Int {
    let source = Source(
      backend: backend, workload: column.workload, durability: column.durability, count: count)
    if let slot = sources[source] { return slot }
    sources[source] = counts.count
    counts.append(count)
    return counts.count - 1
  }

  /// Draws one resample: for each slot how often each block is in it, in run order.
  func drawn(_ generator: inout SplitMix64) -> [[Int]] {
    counts.map { $0 == 1 ? [1] : MiddleRanks.draws(count: $0, &generator) }
  }
}

/// The logarithms of what counts of a figure's blocks; the less the better, whatever the metric.
private struct BlockLogs {
  private let slot: Int
  private let sorted: [Double]
  /// The places in the run of the sorted ones.
  private let places: [Int]

  /// An exact figure has but one block. A block of 0 has no logarithm, and is as far below the
  /// others as can be.
  init(_ term: SideTerm, _ slots: inout BlockSlots) {
    let column = term.weighted.column
    let sign = column.metric.better == .lower ? 1.0 : -1
    let logs = term.figure.blocks.map { sign * log(max($0, .leastNormalMagnitude)) }
    slot = slots.slot(term.figure.backend, column, count: logs.count)
    places = logs.indices.sorted { (logs[$0], $0) < (logs[$1], $1) }
    sorted = places.map { logs[$0] }
  }

  var count: Int { sorted.count }
  var least: Double { sorted[0] }
  var most: Double { sorted[sorted.count - 1] }

  /// The median of the blocks that were drawn.
  func median(_ drawn: [[Int]]) -> Double {
    guard sorted.count > 1 else { return sorted[0] }
    return MiddleRanks(draws: drawn[slot], of: places).median(ofSorted: sorted)
  }
}
