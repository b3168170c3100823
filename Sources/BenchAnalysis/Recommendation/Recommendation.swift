import Basics
import BenchResults
import Foundation

/// Which backend to take with one menu, and why: everything that it takes to work it out by hand.
package struct Recommendation: Sendable {
  /// The weights that count, in their order, each with the columns that it stands for.
  package let counted: [CountedWeight]
  /// What counts, in the order of the weights; those on one column added up.
  package let weighted: [WeightedColumn]
  /// What should count and cannot.
  package let uncounted: [UncountedWeight]
  /// The backends that may be recommended, the best first; equal scores in the record's order.
  package let ranked: [RankedBackend]
  /// All others, in the record's order.
  package let refused: [RefusedBackend]
  /// How far the first is ahead of each of the others, in their order.
  package let leads: [Lead]
  /// The change of one weight that would put another first, for each that has one; the nearest first.
  package let flips: [Flip]

  /// The first and those too close to it to call; empty where nothing may be recommended.
  package var leaders: [String] {
    ranked.prefix(1).map(\.backend) + leads.filter(\.isClose).map(\.other)
  }

  /// How many could be ranked, but lack a figure of what counts.
  package var lacking: Int { refused.count(where: \.lacksFigure) }

  /// The part of all weights that counts: 1 where everything was measured, 0 of no weights.
  package var countedShare: Double {
    let valid = uncounted.map(\.weight.value).filter(Weight.valid.contains)
    let some = counted.reduce(0) { $0 + $1.weight.value }
    let all = some + valid.reduce(0, +)
    return all > 0 ? some / all : 0
  }

  package init(_ criteria: Criteria, on sheet: CostTable) {
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
    // The best of every column stands before the backends: scores are ratios to it.
    let sides = ScoreSides(
      order.prefix(1).map { $0.terms.map { ($0.weighted, $0.best) } }
        + order.map { $0.terms.map { ($0.weighted, $0.own) } })
    let ranked = order.enumerated().map { index, entry in
      RankedBackend(
        terms: entry.terms, standing: sides.ratio(entry.score, of: index + 1, to: 0))
    }
    self.ranked = ranked
    leads = ranked.indices.dropFirst().map { index in
      Lead(
        first: ranked[0].backend, other: ranked[index].backend,
        measure: sides.ratio(ranked[index].score / ranked[0].score, of: index + 1, to: 1))
    }
    flips = Flip.all(counted, ranked)
  }

  /// What becomes of one backend; neither where nothing counts.
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
        // What keeps nothing is refused for that already.
        guard sheet.isRival(backend), let best = sheet.leader(weighted.column) else { continue }
        let title = weighted.column.title
        if figure.counted == 0 {
          reasons.append("\(title) is 0")
        } else if figure.multiple(of: best.figure, weighted.column.metric.better) == nil {
          reasons.append("\(title) is too far from the best to be a multiple of it")
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

  /// What it does not promise, or is not known to.
  private static func lacks(
    _ backend: String, _ criteria: Criteria, _ sheet: CostTable
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

package struct UncountedWeight: Sendable {
  package let weight: Weight
  package let reason: String

  /// Nil of what counts.
  init?(_ weight: Weight, on sheet: CostTable) {
    guard CountedWeight(weight, on: sheet) == nil else { return nil }
    let found = sheet.columns(for: weight.key)
    self.weight = weight
    reason =
      if !Weight.valid.contains(weight.value) {
        "is not from \(Weight.validText), so that it cannot be weighed against others"
      } else if found.isEmpty {
        "was not measured"
      } else if found.contains(where: { sheet.leader($0) != nil }) {
        "is 0 at best, of which nothing is a multiple"
      } else {
        "no backend has a figure of it"
      }
  }
}

/// A weight with the columns that share it evenly.
package struct CountedWeight: Sendable {
  package let weight: Weight
  /// What it stands for; one at least.
  package let columns: [CostColumn]

  /// Nil of what is no valid weight, and of what nothing can be a multiple of.
  init?(_ weight: Weight, on sheet: CostTable) {
    guard Weight.valid.contains(weight.value) else { return nil }
    let columns = sheet.columns(for: weight.key).filter {
      (sheet.leader($0)?.figure.counted ?? 0) > 0
    }
    guard !columns.isEmpty else { return nil }
    (self.weight, self.columns) = (weight, columns)
  }

  package var shares: [WeightedColumn] {
    columns.map { WeightedColumn(column: $0, weight: weight.value / Double(columns.count)) }
  }
}

package struct WeightedColumn: Sendable {
  package let column: CostColumn
  /// Its weight: a key's weight is shared evenly by the columns that it stands for.
  package let weight: Double
}

/// A backend's figure in a column, and what of it counts.
package struct CountedFigure: Sendable {
  package let backend: String
  package let figure: CostFigure
  /// What counts of it, in the metric's unit: see ``GoodEnough``.
  package let counts: Double
  package let isGoodEnough: Bool
  /// What counts of each block; of an exact figure the one.
  let blocks: [Double]

  init(
    _ backend: String, _ figure: CostFigure, _ column: CostColumn, _ goodEnough: GoodEnough
  ) {
    (self.backend, self.figure) = (backend, figure)
    counts = goodEnough.counting(figure.counted, of: column.metric)
    isGoodEnough = goodEnough.covers(figure.counted, of: column.metric)
    blocks = (figure.isExact ? [figure.value] : figure.blocks).map {
      goodEnough.counting(max($0, figure.least), of: column.metric)
    }
  }
}

package struct ScoreTerm: Sendable {
  package let weighted: WeightedColumn
  /// The backend's figure, and what of it counts.
  package let own: CountedFigure
  /// The best figure of the column, and what of it counts.
  package let best: CountedFigure
  /// What counts of the figure as a multiple of what counts of the best: 1 of the best itself.
  package let multiple: Double

  init(_ weighted: WeightedColumn, _ own: CountedFigure, best: CountedFigure) {
    (self.weighted, self.own, self.best) = (weighted, own, best)
    // Powers of two neighbouring numbers may come out in either order.
    multiple = max(
      1,
      weighted.column.metric.better == .lower
        ? own.counts / best.counts : best.counts / own.counts)
  }

  /// What the score's logarithm is the sum of, before it is divided by all weights.
  package var product: Double { weighted.weight * log(multiple) }
}

package struct RankedBackend: Sendable {
  /// What its score is made of, in the order of the weights; one term at least.
  package let terms: [ScoreTerm]
  /// Its score, and between which bounds it lies: every figure's blocks and those of the best that it
  /// is a multiple of are resampled.
  package let standing: ScoreRatio

  /// The weighted geometric mean of the multiples: 1 would be the best at everything.
  ///
  /// Multiples are ratios, so that only their geometric mean is the same whichever backend they are
  /// taken of: Fleming & Wallace, "How Not to Lie with Statistics", CACM 29 (1986).
  package var score: Double { standing.value }
  package var backend: String { terms[0].own.backend }

  static func score(_ terms: [ScoreTerm]) -> Double {
    exp(terms.reduce(0) { $0 + $1.product } / terms.reduce(0) { $0 + $1.weighted.weight })
  }
}

package struct RefusedBackend: Sendable {
  package let backend: String
  package let reasons: [String]
  /// Whether a figure is missing that it could have had, so that nobody knows where it would stand.
  package let lacksFigure: Bool
}
