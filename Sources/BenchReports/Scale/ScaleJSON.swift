import BenchAnalysis
import BenchResults

/// How costs grow, for scripts: every figure, every exponent and every crossover, with their intervals.
enum ScaleJSON {
  static func text(_ scale: ScaleReport) throws -> String {
    try JSONValue.document(
      "scale", by: scale.record.tool,
      [
        "noun": .text(scale.noun),
        "menus": .list(
          scale.menus.map { .object(["name": .text($0.name), "size": .number($0.size)]) }),
        "left_out": JSONValue(scale.twins),
        "costs": .list(scale.costs.map(cost)),
      ])
  }

  private static func cost(_ cost: ScaledCost) -> JSONValue {
    .object(
      RecommendationJSON.identity(cost.column).merging([
        "curves": .list(cost.curves.map(curve)),
        "crossovers": .list(cost.crossovers.map(crossover)),
      ]) { $1 })
  }

  private static func curve(_ curve: GrowthCurve) -> JSONValue {
    .object([
      "backend": .text(curve.backend), "points": .list(curve.points.map(point)),
      "exponent": growth(curve.whole), "exponent_large_end": growth(curve.largeEnd),
    ])
  }

  private static func point(_ point: GrowthPoint) -> JSONValue {
    let figure = point.entry.figure
    return .object([
      "menu": .text(point.menu), "size": .number(point.size), "value": JSONValue(figure?.value),
      "interval": JSONValue(figure?.interval), "blocks": JSONValue(figure?.blocks.count),
      "reason": JSONValue(point.gap),
    ])
  }

  /// A power of the size; null of too few sizes.
  private static func growth(_ growth: Growth?) -> JSONValue {
    guard let growth else { return .null }
    let evidence =
      switch growth.evidence {
      case .scatter: "scatter"
      case .bootstrap: "bootstrap"
      case .exact: "exact"
      case .tooFew: "too few blocks"
      }
    return .object([
      "value": JSONValue(growth.exponent), "interval": JSONValue(growth.interval),
      "evidence": .text(evidence), "sizes": JSONValue(growth.sizes),
    ])
  }

  private static func crossover(_ crossover: Crossover) -> JSONValue {
    .object([
      "from": .text(crossover.from[0]), "to": .text(crossover.to[0]),
      "below": .number(crossover.below), "above": .number(crossover.above),
      "about": JSONValue(crossover.about), "is_proven": .bool(crossover.isProven),
    ])
  }
}
