import BenchResults
import Foundation

/// One term of two storages, in logarithms of what counts.
struct TermPair {
  let weight: Double
  let first: BlockLogs
  let other: BlockLogs
  private let isExact: Bool
  private let isTurned: Bool

  init(_ first: RankedStorage, _ other: RankedStorage, term: Int, slots: inout BlockSlots) {
    let (mine, its) = (first.terms[term], other.terms[term])
    weight = mine.weighted.weight
    isExact = mine.figure.isExact
    isTurned = mine.weighted.column.metric.better == .higher
    self.first = BlockLogs(mine, of: .first, &slots)
    self.other = BlockLogs(its, of: .other, &slots)
  }

  /// How many blocks each side has, where blocks can differ.
  var blockCounts: [Int] { isExact ? [] : [first.count, other.count] }

  /// The least and the most that the other's blocks can be over the first's.
  var extremes: Interval {
    let (low, high) = (other.least - first.most, other.most - first.least)
    return isTurned ? Interval(low: -high, high: -low) : Interval(low: low, high: high)
  }

  /// The logarithm of the other's median over the first's, of the blocks that were drawn.
  func resampled(_ drawn: [[Int]]) -> Double {
    let difference = other.median(drawn) - first.median(drawn)
    return isTurned ? -difference : difference
  }
}

/// What is resampled by itself: the blocks of a cell, which are processes. All terms of a cell are
/// of the same ones.
struct BlockSlots {
  /// Whose blocks they are. Names would not do: who compares two figures alone may give none.
  enum Side: Hashable {
    case first, other
  }

  private struct Source: Hashable {
    var side: Side
    var workload: String
    var durability: String
    var count: Int
  }

  private var sources: [Source: Int] = [:]
  private var counts: [Int] = []

  /// The slot of so many blocks of a side's cell: the same for the same ones.
  mutating func slot(_ side: Side, _ column: CostColumn, count: Int) -> Int {
    let source = Source(
      side: side, workload: column.workload, durability: column.durability, count: count)
    if let slot = sources[source] { return slot }
    sources[source] = counts.count
    counts.append(count)
    return counts.count - 1
  }

  /// Draws one resample: for each slot how often each block is in it, in run order.
  func drawn(_ generator: inout SplitMix64) -> [[Int]] {
    counts.map { MiddleRanks.draws(count: $0, &generator) }
  }
}

/// One side of a term: the logarithms of its blocks.
struct BlockLogs {
  private let slot: Int
  private let sorted: [Double]
  /// The places in the run of the sorted ones.
  private let places: [Int]

  /// An exact figure has but one block. A block of 0 has no logarithm, and is as far below the
  /// others as can be.
  init(_ term: ScoreTerm, of side: BlockSlots.Side, _ slots: inout BlockSlots) {
    let figure = term.figure
    let logs = (figure.isExact ? [figure.value] : figure.blocks)
      .map { log(max($0, figure.least, .leastNormalMagnitude)) }
    slot = slots.slot(side, term.weighted.column, count: logs.count)
    places = logs.indices.sorted { (logs[$0], $0) < (logs[$1], $1) }
    sorted = places.map { logs[$0] }
  }

  var count: Int { sorted.count }
  var least: Double { sorted[0] }
  var most: Double { sorted[sorted.count - 1] }

  /// The median of the blocks that were drawn.
  func median(_ drawn: [[Int]]) -> Double {
    let times = drawn[slot]
    return MiddleRanks(draws: places.map { times[$0] }).median(ofSorted: sorted)
  }
}
