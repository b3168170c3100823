import BenchResults
import Foundation

/// How far one storage is ahead of another, and what says so.
public struct Lead: Hashable, Sendable {
  /// What is ahead.
  public let first: String
  /// What is behind, or level.
  public let other: String
  /// The other's score over the first's: 1 or more.
  public let ratio: Double
  /// Between which bounds that ratio lies, as far as the blocks can tell; nil where they are too few.
  public let interval: Interval?
  /// Where the bounds are from.
  public let evidence: Evidence

  /// What bounds of a lead are from.
  public enum Evidence: Hashable, Sendable {
    /// Nothing that counts differs from block to block.
    case exact
    /// A 95 % percentile bootstrap over blocks, seeded; of the figure with the fewest blocks.
    case bootstrap(blocks: Int)
    /// The farthest blocks of either, since so few say no more.
    case range(blocks: Int)
    /// Too few blocks to tell at all.
    case tooFew(blocks: Int)
  }

  /// Scores less than 5 % apart are level: that is no reason to choose a storage by.
  public static let leastRatio = 1.05
  /// The fewest blocks whose range says anything.
  public static let fewestBlocks = 3

  /// Whether the two are too close to call.
  public var isClose: Bool { ratio < Self.leastRatio || (interval.map { $0.low <= 1 } ?? false) }
  /// Whether the first is ahead for all that is known, and nothing says how surely.
  public var isUnproven: Bool { !isClose && interval == nil }
}

extension Lead {
  /// Sets two storages side by side that have the same terms.
  init(_ first: RankedStorage, over other: RankedStorage) {
    var slots = BlockSlots()
    let pairs = first.terms.indices.map { TermPair(first, other, term: $0, slots: &slots) }
    let total = pairs.reduce(0) { $0 + $1.weight }
    let counts = pairs.flatMap(\.blockCounts)
    self.first = first.backend
    self.other = other.backend
    ratio = other.score / first.score
    guard let fewest = counts.min() else {
      (evidence, interval) = (.exact, Interval(low: ratio, high: ratio))
      return
    }
    switch fewest {
    case ..<Self.fewestBlocks: (evidence, interval) = (.tooFew(blocks: fewest), nil)
    case ..<Statistics.fewestForMedianInterval:
      evidence = .range(blocks: fewest)
      interval = Interval(
        low: exp(pairs.reduce(0) { $0 + $1.weight * $1.extremes.low } / total),
        high: exp(pairs.reduce(0) { $0 + $1.weight * $1.extremes.high } / total))
    default:
      evidence = .bootstrap(blocks: fewest)
      interval = Self.bootstrap(pairs, total, slots)
    }
  }

  /// The blocks of every cell are resampled by themselves, once for all its terms: a block is a
  /// process, which cells do not share, but what one of them measures goes up and down together.
  private static func bootstrap(
    _ pairs: [TermPair], _ total: Double, _ slots: BlockSlots
  ) -> Interval? {
    var generator = SplitMix64(seed: 1)
    let drawn = (0..<Statistics.bootstrapResamples).map { _ in
      let blocks = slots.drawn(&generator)
      return pairs.reduce(0) { $0 + $1.weight * $1.resampled(blocks) } / total
    }.sorted()
    guard let low = Statistics.quantile(0.025, ofSorted: drawn),
      let high = Statistics.quantile(0.975, ofSorted: drawn)
    else { return nil }
    return Interval(low: exp(low), high: exp(high))
  }
}
