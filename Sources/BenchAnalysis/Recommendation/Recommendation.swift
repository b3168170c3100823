import Basics
import BenchResults
import Foundation

/// Which backend to choose for one menu, with every number that is needed to check it by hand.
package struct Recommendation: Sendable {
  /// The weights that count, in their order, each with its columns.
  package let counted: [CountedWeight]
  /// The columns that count, in the order of the weights. Weights on one column are added up.
  package let weighted: [WeightedColumn]
  /// The weights that cannot count.
  package let uncounted: [UncountedWeight]
  /// The backends that may be recommended, the best first. Equal scores keep the record's order.
  package let ranked: [RankedBackend]
  /// All other backends, in the record's order.
  package let refused: [RefusedBackend]
  /// How far the first backend is ahead of each other one, in their order.
  package let leads: [Advantage]
  /// For each other backend the change of one weight that puts it first, if any. The smallest is first.
  package let flips: [WeightReversal]

  /// The first backend and those too close to call. Empty if none may be recommended.
  package var leaders: [String] {
    ranked.prefix(1).map(\.backend) + leads.filter(\.isClose).map(\.other)
  }

  /// The number of backends that could be ranked, but lack a figure that counts.
  package var lacking: Int { refused.count(where: \.lacksFigure) }

  /// The share of all weights that counts: 1 if everything was measured, 0 without weights.
  package var countedShare: Double {
    let valid = uncounted.map(\.weight.value).filter(Weight.valid.contains)
    let some = counted.reduce(0) { $0 + $1.weight.value }
    let all = some + valid.reduce(0, +)
    return all > 0 ? some / all : 0
  }

  package init(_ criteria: Criteria, on sheet: CostTable) {
    var sheet = sheet
    sheet.candidates = sheet.backends.filter { Self.lacks($0, criteria, sheet).isEmpty }
    counted = criteria.weights.compactMap { CountedWeight($0, on: sheet) }
    uncounted = criteria.weights.compactMap { UncountedWeight($0, on: sheet) }
    let columns = counted.flatMap(\.shares).grouped(by: \.column).map { column, parts in
      WeightedColumn(
        column: column, weight: parts.dropFirst().reduce(parts[0].weight) { $0 + $1.weight })
    }
    let judged = sheet.backends.map { Self.judged($0, criteria, columns, on: sheet) }
    weighted = columns
    refused = judged.compactMap(\.refused)
    let order = judged.compactMap(\.terms).enumerated().map {
      (place: $0.offset, terms: $0.element, score: RankedBackend.score($0.element))
    }.sorted { ($0.score, $0.place) < ($1.score, $1.place) }
    let share = 1 / columns.reduce(0.0) { $0 + $1.weight }
    let ranked = order.map { entry in
      RankedBackend(
        terms: entry.terms,
        standing: ScoreRatio(
          entry.score,
          of: entry.terms.flatMap { [$0.factor($0.own, share), $0.factor($0.best, -share)] }))
    }
    self.ranked = ranked
    leads = ranked.dropFirst().map { other in
      Advantage(
        first: ranked[0].backend, other: other.backend,
        measure: ScoreRatio(
          other.score / ranked[0].score,
          of: zip(other.terms, ranked[0].terms).flatMap {
            [$0.factor($0.own, share), $1.factor($1.own, -share)]
          }))
    }
    flips = WeightReversal.all(counted, ranked)
  }

  /// Returns the terms of a backend's score or why it is refused. Both are nil if nothing counts.
  private static func judged(
    _ backend: String, _ criteria: Criteria, _ columns: [WeightedColumn], on sheet: CostTable
  ) -> (terms: [ScoreTerm]?, refused: RefusedBackend?) {
    var reasons = lacks(backend, criteria, sheet)
    let isCandidate = reasons.isEmpty
    var lacksFigure = false
    var terms: [ScoreTerm] = []
    for weighted in columns {
      switch sheet.entry(backend, weighted.column) {
      case .figure(let figure):
        // A backend that keeps nothing is already refused.
        guard sheet.isRival(backend), let best = sheet.leader(weighted.column) else { continue }
        let title = weighted.column.title
        if figure.counted == 0 {
          reasons.append("\(title) is 0")
        } else if figure.multiple(of: best.figure, weighted.column.metric.better) == nil {
          reasons.append("\(title) is too far from the best for a multiple")
        } else {
          terms.append(
            ScoreTerm(
              weighted, CountedFigure(backend, figure, weighted.column, criteria.goodEnough),
              best: CountedFigure(best.backend, best.figure, weighted.column, criteria.goodEnough)))
        }
      case .absent(let lack):
        reasons.append("\(weighted.column.title) \(lack.reason)")
        if case .notApplicable = lack { continue }
        lacksFigure = true
      }
    }
    guard reasons.isEmpty else {
      let refused = RefusedBackend(
        backend: backend, reasons: reasons, lacksFigure: isCandidate && lacksFigure)
      return (nil, refused)
    }
    return (terms.isEmpty ? nil : terms, nil)
  }

  /// Returns, in words, why an app cannot take a backend: its note, or what it is not known to promise.
  private static func lacks(
    _ backend: String, _ criteria: Criteria, _ sheet: CostTable
  ) -> [String] {
    let info = sheet.backend(backend)
    let volatile =
      info?.survivesRestart == false
      ? "keeps nothing after a restart" : "is not known to survive a restart"
    let keeping = criteria.takesVolatile || sheet.keeps(backend) ? [] : [volatile]
    return keeping + [info?.note].compactMap(\.self)
      + criteria.required.compactMap { promise in
        guard let promises = info?.promises else { return "promise unknown: \(promise)" }
        return promises.contains(promise) ? nil : "does not promise \(promise)"
      }
  }
}

package struct UncountedWeight: Sendable {
  package let weight: Weight
  package let reason: String

  /// Returns nil if the weight counts.
  init?(_ weight: Weight, on sheet: CostTable) {
    guard CountedWeight(weight, on: sheet) == nil else { return nil }
    let found = sheet.columns(for: weight.key)
    self.weight = weight
    reason =
      if !Weight.valid.contains(weight.value) {
        "is not from \(Weight.validText), so it cannot be weighed"
      } else if found.isEmpty {
        "was not measured"
      } else if let mixed = found.first(where: sheet.isMixed) {
        "is flushed by some backends only, at durability \(mixed.durability):"
          + " measure with --durability durable"
      } else if found.contains(where: { sheet.leader($0) != nil }) {
        "is 0 at best, which has no multiples"
      } else {
        "has no figure from any backend"
      }
  }
}

/// A weight with the columns that share it evenly.
package struct CountedWeight: Sendable {
  package let weight: Weight
  /// The columns that the weight applies to. There is at least one.
  package let columns: [CostColumn]

  /// Returns nil if the weight is invalid, if a column is mixed, or if none has a best figure above 0.
  init?(_ weight: Weight, on sheet: CostTable) {
    guard Weight.valid.contains(weight.value) else { return nil }
    let found = sheet.columns(for: weight.key)
    let columns = found.filter { (sheet.leader($0)?.figure.counted ?? 0) > 0 }
    guard !columns.isEmpty, !found.contains(where: sheet.isMixed) else { return nil }
    (self.weight, self.columns) = (weight, columns)
  }

  package var shares: [WeightedColumn] {
    columns.map { WeightedColumn(column: $0, weight: weight.value / Double(columns.count)) }
  }
}

package struct WeightedColumn: Sendable {
  package let column: CostColumn
  /// The column's weight. The columns of a key share its weight evenly.
  package let weight: Double
}

/// A backend's figure in a column, and the value that counts of it.
package struct CountedFigure: Sendable {
  package let backend: String
  package let figure: CostFigure
  /// The value that counts, in the metric's unit, see ``GoodEnough``.
  package let counts: Double
  package let isGoodEnough: Bool
  /// Whether the whole interval is good enough. False with too few blocks for an interval.
  package let isSurelyEnough: Bool
  /// The values that count of the blocks. An exact figure has one.
  let blocks: [Double]

  init(
    _ backend: String, _ figure: CostFigure, _ column: CostColumn, _ goodEnough: GoodEnough
  ) {
    (self.backend, self.figure) = (backend, figure)
    counts = goodEnough.counting(figure.counted, of: column.metric)
    isGoodEnough = goodEnough.covers(figure.counted, of: column.metric)
    isSurelyEnough = figure.interval.map { goodEnough.covers($0.high, of: column.metric) } ?? false
    blocks = figure.countedBlocks.map { goodEnough.counting($0, of: column.metric) }
  }
}

package struct ScoreTerm: Sendable {
  package let weighted: WeightedColumn
  package let own: CountedFigure
  /// The best figure of the column.
  package let best: CountedFigure
  /// The value that counts as a multiple of the best's, which has 1.
  package let multiple: Double

  init(_ weighted: WeightedColumn, _ own: CountedFigure, best: CountedFigure) {
    (self.weighted, self.own, self.best) = (weighted, own, best)
    // Rounding may put the powers of two close numbers in either order.
    multiple = max(
      1,
      weighted.column.metric.better == .lower
        ? own.counts / best.counts : best.counts / own.counts)
  }

  /// The term's part of the score's logarithm, before the division by all weights.
  package var product: Double { weighted.weight * log(multiple) }

  /// Whether both backends' own figures are too close to call, by the same test as in a ``CostTable``.
  package func isClose(to other: ScoreTerm) -> Bool {
    own.figure.ratio(to: other.own.figure, weighted.column.metric.better)?.isClose ?? false
  }

  /// Returns what a figure of the column adds to a ratio of scores. `share` is that of one unit of weight.
  func factor(_ figure: CountedFigure, _ share: Double) -> ScoreRatio.Factor {
    let column = weighted.column
    return ScoreRatio.Factor(
      weight: (column.metric.better == .lower ? share : -share) * weighted.weight,
      cell: [figure.backend, column.workload, column.durability], values: figure.blocks,
      isExact: figure.figure.isExact)
  }
}

package struct RankedBackend: Sendable {
  /// The terms of the score, in the order of the weights. There is at least one.
  package let terms: [ScoreTerm]
  /// The score with its bounds, from the blocks of the backend's figures and of the best ones.
  package let standing: ScoreRatio

  /// The weighted geometric mean of the multiples. A backend with 1 is the best at everything.
  ///
  /// Only the geometric mean of ratios does not depend on the backend that they refer to: Fleming &
  /// Wallace, "How Not to Lie with Statistics", CACM 29 (1986).
  package var score: Double { standing.value }
  package var backend: String { terms[0].own.backend }

  static func score(_ terms: [ScoreTerm]) -> Double {
    exp(terms.reduce(0) { $0 + $1.product } / terms.reduce(0) { $0 + $1.weighted.weight })
  }
}

package struct RefusedBackend: Sendable {
  package let backend: String
  package let reasons: [String]
  /// Whether a figure is missing that the backend could have had, so that its rank is unknown.
  package let lacksFigure: Bool
}
