import Basics
import BenchResults
import Foundation

/// Which backend to take with one menu, and why: everything that it takes to work it out by hand.
package struct Recommendation: Sendable {
  /// What counts, in the order of the weights.
  package let weighted: [WeightedColumn]
  /// What should count and cannot.
  package let uncounted: [UncountedWeight]
  /// The backends that may be recommended, the best first; equal scores in the record's order.
  package let ranked: [RankedBackend]
  /// All others, in the record's order.
  package let refused: [RefusedBackend]
  /// How far the first is ahead of each of the others, in their order.
  package let leads: [Lead]

  /// The first and those too close to it to call; empty where nothing may be recommended.
  package var leaders: [String] {
    ranked.prefix(1).map(\.backend) + leads.filter(\.isClose).map(\.other)
  }

  /// Chooses by what was measured of one menu.
  package init(_ criteria: Criteria, on sheet: CostSheet) {
    let counted = Self.counted(criteria.weights, on: sheet)
    let judged = sheet.backends.map { Self.judged($0, criteria, counted.columns, on: sheet) }
    weighted = counted.columns
    uncounted = counted.uncounted
    refused = judged.compactMap(\.refused)
    let order = judged.compactMap(\.ranked).enumerated().sorted {
      ($0.element.score, $0.offset) < ($1.element.score, $1.offset)
    }
    ranked = order.map(\.element)
    leads = ranked.dropFirst().map { [ranked] in Lead(ranked[0], over: $0) }
  }

  /// The weights as far as they can be counted, those on one column added up.
  private static func counted(
    _ weights: [Weight], on sheet: CostSheet
  ) -> (columns: [WeightedColumn], uncounted: [UncountedWeight]) {
    var columns: [WeightedColumn] = []
    var uncounted: [UncountedWeight] = []
    for weight in weights {
      let found = sheet.columns(for: weight.key)
      let usable = found.filter { sheet.best($0).map { $0.counted > 0 } ?? false }
      columns += usable.map {
        WeightedColumn(column: $0, weight: weight.value / Double(usable.count))
      }
      guard usable.isEmpty else { continue }
      let isZero = found.contains { sheet.best($0) != nil }
      let reason =
        found.isEmpty
        ? "was not measured"
        : isZero ? "is 0 at best, of which nothing is a multiple" : "no backend has a figure of it"
      uncounted.append(UncountedWeight(weight: weight, reason: reason))
    }
    let sums = columns.grouped(by: \.column).map { column, parts in
      WeightedColumn(
        column: column, weight: parts.dropFirst().reduce(parts[0].weight) { $0 + $1.weight })
    }
    return (sums, uncounted)
  }

  /// What becomes of one backend; neither where nothing counts.
  private static func judged(
    _ backend: String, _ criteria: Criteria, _ columns: [WeightedColumn], on sheet: CostSheet
  ) -> (ranked: RankedBackend?, refused: RefusedBackend?) {
    var reasons = lacks(backend, criteria, sheet)
    var terms: [ScoreTerm] = []
    for weighted in columns {
      switch sheet.entry(backend, weighted.column) {
      case .figure(let figure, .some(let multiple)):
        terms.append(ScoreTerm(weighted: weighted, figure: figure, multiple: multiple))
      case .figure(let figure, nil):
        // What keeps nothing has no multiples either, and is refused for that already.
        if figure.counted == 0 { reasons.append("\(weighted.column.title) is 0") }
      case .absent(let lack): reasons.append("\(weighted.column.title) \(lack.reason)")
      }
    }
    guard reasons.isEmpty else { return (nil, RefusedBackend(backend: backend, reasons: reasons)) }
    return (terms.isEmpty ? nil : RankedBackend(backend: backend, terms: terms), nil)
  }

  /// What it does not promise, or is not known to.
  private static func lacks(
    _ backend: String, _ criteria: Criteria, _ sheet: CostSheet
  ) -> [String] {
    let info = sheet.backend(backend)
    let volatile =
      info?.survivesRestart == false
      ? "keeps nothing after a restart" : "is not known to keep anything"
    let keeping = criteria.takesVolatile || sheet.keeps(backend) ? [] : [volatile]
    return keeping
      + criteria.required.compactMap { promise in
        guard let promises = info?.promises else { return "promise unknown: \(promise)" }
        return promises.contains(promise) ? nil : "does not promise \(promise)"
      }
  }
}

/// A weight on what cannot be counted.
package struct UncountedWeight: Sendable {
  /// The weight.
  package let weight: Weight
  /// Why it does not count, in words.
  package let reason: String
}

/// A column with its part of the weights.
package struct WeightedColumn: Sendable {
  /// The column.
  package let column: CostColumn
  /// Its weight: a key's weight is shared evenly by the columns that it stands for.
  package let weight: Double
}

/// One factor of a score.
package struct ScoreTerm: Sendable {
  /// The column and its weight.
  package let weighted: WeightedColumn
  /// The figure.
  package let figure: CostFigure
  /// The figure as a multiple of the best.
  package let multiple: Double
}

/// A backend that may be recommended, with how it does.
package struct RankedBackend: Sendable {
  /// The backend's id.
  package let backend: String
  /// What its score is made of, in the order of the weights.
  package let terms: [ScoreTerm]
  /// The weighted geometric mean of the multiples: 1 would be the best at everything.
  ///
  /// Multiples are ratios, so that only their geometric mean is the same whichever backend they are
  /// taken of: Fleming & Wallace, "How Not to Lie with Statistics", CACM 29 (1986).
  package let score: Double

  init(backend: String, terms: [ScoreTerm]) {
    self.backend = backend
    self.terms = terms
    let total = terms.reduce(0) { $0 + $1.weighted.weight }
    score = exp(terms.reduce(0) { $0 + $1.weighted.weight * log($1.multiple) } / total)
  }
}

/// A backend that is not ranked.
package struct RefusedBackend: Sendable {
  /// The backend's id.
  package let backend: String
  /// Every reason, in words.
  package let reasons: [String]
}

/// How far one backend is ahead of another, and what says so.
package struct Lead: Sendable {
  /// What is ahead.
  package let first: String
  /// What is behind, or level.
  package let other: String
  /// The other's score over the first's: 1 or more.
  package let ratio: Double
  /// Between which bounds that ratio lies, as far as the blocks can tell; nil where they are too few.
  package let interval: Interval?
  /// Where the bounds are from.
  package let evidence: Evidence

  /// What bounds of a lead are from.
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

  /// Scores less than 5 % apart are level: that is no reason to choose a backend by.
  package static let leastRatio = 1.05
  /// The fewest blocks whose range says anything.
  package static let fewestBlocks = 3

  /// Whether the two are too close to call.
  package var isClose: Bool { ratio < Self.leastRatio || (interval.map { $0.low <= 1 } ?? false) }
  /// Whether the first is ahead for all that is known, and nothing says how surely.
  package var isUnproven: Bool { !isClose && interval == nil }
}

extension Lead {
  /// Sets two backends side by side that have the same terms.
  init(_ first: RankedBackend, over other: RankedBackend) {
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
    Statistics.bootstrap { generator in
      let blocks = slots.drawn(&generator)
      return pairs.reduce(0) { $0 + $1.weight * $1.resampled(blocks) } / total
    }?.map(exp)
  }
}

/// One term of two backends, in logarithms of what counts.
struct TermPair {
  let weight: Double
  let first: BlockLogs
  let other: BlockLogs
  private let isExact: Bool
  private let isTurned: Bool

  init(_ first: RankedBackend, _ other: RankedBackend, term: Int, slots: inout BlockSlots) {
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
