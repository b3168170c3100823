import Basics
import BenchAnalysis
import BenchResults

/// A comparison of backends, for scripts: every figure shown, and the terms of each answer's sum.
///
/// A score is `exp(Σ product / Σ weight)` over a backend's `terms`. A product is
/// `weight × ln(multiple)`. A multiple divides what `counts` of the figure by what `counts` of the
/// best, or the other way round if more is better.
enum RecommendationJSON {
  static func text(_ report: RecommendationReport) throws -> String {
    try JSONValue.document(
      "compare", by: report.record.tool,
      [
        "menus": .list(report.sheets.map { menu($0, report.answers) }),
        "answers": .list(report.answers.map { answer($0, report) }),
        "unanswered": .list(report.unanswered.map { unanswered($0) }),
      ])
  }

  private static func menu(_ sheet: CostTable, _ answers: [Answer]) -> JSONValue {
    let weighed = answers.flatMap(\.recommendations).flatMap(\.weighted).map(\.column)
    let known = Set(
      sheet.backends.flatMap { backend in
        weighed.filter { sheet.entry(backend, $0).figure != nil }
      })
    let columns = (sheet.columns + sheet.sizes + weighed.filter(known.contains)).distinct
    return .object([
      "name": .text(sheet.menu),
      "fingerprint": JSONValue(sheet.info?.fingerprint),
      "counts": .object(
        Dictionary(
          (sheet.info?.counts ?? []).map { ($0.of, JSONValue($0.count)) }, uniquingKeysWith: { $1 })
      ),
      "backends": .list(sheet.backends.map { backend($0, sheet, columns) }),
    ])
  }

  private static func backend(
    _ id: String, _ sheet: CostTable, _ columns: [CostColumn]
  ) -> JSONValue {
    let info = sheet.backend(id)
    return .object([
      "id": .text(id), "promises": JSONValue(info?.promises),
      "survives_restart": JSONValue(info?.survivesRestart),
      "figures": .list(columns.map { figure(sheet.entry(id, $0), $0) }),
    ])
  }

  private static func figure(_ entry: CostEntry, _ column: CostColumn) -> JSONValue {
    let figure = entry.figure
    return .object(
      identity(column).merging([
        "value": JSONValue(figure?.value), "interval": JSONValue(figure?.interval),
        "blocks": JSONValue(figure?.blocks.count), "least_tellable": JSONValue(figure?.least),
        "multiple_of_best": JSONValue(figure?.multiple), "reason": JSONValue(entry.reason),
        "is_unflushed": JSONValue(figure?.isUnflushed),
      ]) { $1 })
  }

  static func identity(_ column: CostColumn) -> [String: JSONValue] {
    [
      "workload": .text(column.workload), "durability": .text(column.durability),
      "cost": .text(column.name), "metric": .text(column.metric.id),
      "unit": .text(column.metric.unit.rawValue), "better": .text(column.metric.better.rawValue),
    ]
  }

  private static func answer(_ answer: Answer, _ report: RecommendationReport) -> JSONValue {
    .object([
      "need": JSONValue(answer.criteria.need),
      "weights": weights(answer.criteria.weights),
      "required": JSONValue(answer.criteria.required),
      "takes_volatile": .bool(answer.criteria.takesVolatile),
      "good_enough_ns": .number(answer.criteria.goodEnough.nanoseconds),
      "menus": .list(zip(report.sheets, answer.recommendations).map(recommendation)),
      "size_changes": answer.trend.map { trend in
        .list(trend.changes.map { change($0, trend.noun) })
      }
        ?? .null,
    ])
  }

  private static func unanswered(_ answer: Answer) -> JSONValue {
    .object([
      "need": JSONValue(answer.criteria.need), "weights": weights(answer.criteria.weights),
      "counted_share": .number(answer.countedShare),
      "uncounted": .list((answer.here?.uncounted ?? []).map(uncounted)),
    ])
  }

  private static func weights(_ weights: [Weight]) -> JSONValue {
    .list(weights.map { .object(["key": .text($0.key.description), "weight": .number($0.value)]) })
  }

  private static func recommendation(_ sheet: CostTable, _ answer: Recommendation) -> JSONValue {
    .object([
      "menu": .text(sheet.menu),  // Of less than half of the weights none is.
      "recommended": JSONValue(
        answer.countedShare < RecommendationReport.leastShare ? [] : answer.leaders),
      "counted_share": .number(answer.countedShare),
      "uncounted": .list(answer.uncounted.map(uncounted)),
      "ranked": .list(answer.ranked.map(ranked)),
      "leads": .list(answer.leads.map(lead)),
      "flips": .list(answer.flips.map(flip)),
      "refused": .list(
        answer.refused.map {
          .object(["backend": .text($0.backend), "reasons": JSONValue($0.reasons)])
        }),
    ])
  }

  private static func uncounted(_ uncounted: UncountedWeight) -> JSONValue {
    .object([
      "key": .text(uncounted.weight.key.description), "weight": JSONValue(uncounted.weight.value),
      "reason": .text(uncounted.reason),
    ])
  }

  private static func ranked(_ ranked: RankedBackend) -> JSONValue {
    .object([
      "backend": .text(ranked.backend), "score": ratio(ranked.standing),
      "terms": .list(
        ranked.terms.map { term in
          .object(
            identity(term.weighted.column).merging([
              "weight": .number(term.weighted.weight), "value": .number(term.own.figure.value),
              "counts": .number(term.own.counts), "is_good_enough": .bool(term.own.isGoodEnough),
              "best": .object([
                "backend": .text(term.best.backend), "value": .number(term.best.figure.value),
                "counts": .number(term.best.counts),
              ]),
              "multiple": .number(term.multiple), "product": .number(term.product),
            ]) { $1 })
        }),
    ])
  }

  private static func lead(_ lead: Advantage) -> JSONValue {
    .object([
      "first": .text(lead.first), "other": .text(lead.other), "ratio": ratio(lead.measure),
      "is_close": .bool(lead.isClose), "is_unproven": .bool(lead.isUnproven),
    ])
  }

  private static func ratio(_ ratio: ScoreRatio) -> JSONValue {
    let (evidence, blocks): (String, Int?) =
      switch ratio.evidence {
      case .exact: ("exact", nil)
      case .sampled(let blocks): ("sampled", blocks)
      case .tooFew(let blocks): ("too few blocks", blocks)
      }
    return .object([
      "value": .number(ratio.value), "interval": JSONValue(ratio.interval),
      "evidence": .text(evidence), "blocks": JSONValue(blocks),
    ])
  }

  private static func flip(_ flip: WeightReversal) -> JSONValue {
    .object([
      "backend": .text(flip.backend), "key": .text(flip.weight.key.description),
      "weight": .number(flip.weight.value), "threshold": .number(flip.threshold),
      "direction": .text(flip.isMore ? "more" : "less"),
    ])
  }

  private static func change(_ change: Crossover, _ noun: String) -> JSONValue {
    .object([
      "from": JSONValue(change.from), "to": JSONValue(change.to), "below": .number(change.below),
      "above": .number(change.above), "about": JSONValue(change.about), "noun": .text(noun),
    ])
  }
}
