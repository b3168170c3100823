import BenchResults

/// Doubts about cells that ran out of time.
extension Analysers {
  /// How many ended early, and how far the worst of them is from what was asked for.
  @Sendable static func budget(_ evidence: Evidence) -> [Conclusion] {
    let outcomes = evidence.record.outcomes
    let ended = outcomes.filter { $0.stop == .budget }
    guard !ended.isEmpty else { return [] }
    if evidence.comparison?.design == .paired { return undecided(Set(ended.map(\.cell)), evidence) }
    let asked = Wording.percent(evidence.record.settings.targetPrecision)
    let (medians, verb) = ended.count == 1 ? ("its median", "was") : ("their medians", "were")
    let widest = widest(Set(ended.map(\.cell)), evidence)
    return [
      Conclusion(
        .warning,
        "\(Wording.count(Double(ended.count))) of \(Wording.plural(outcomes.count, "cell")) ended"
          + " with the budget before \(medians) \(verb) known to ±\(asked)\(widest):"
          + " give more time with --budget")
    ]
  }

  /// Times of a gate that more pairs could have decided.
  private static func undecided(_ cells: Set<Cell>, _ evidence: Evidence) -> [Conclusion] {
    let open = evidence.rows.filter {
      cells.contains($0.cell) && $0.metric.isTime && $0.verdict?.isInconclusive ?? false
    }
    guard !open.isEmpty else { return [] }
    let budget =
      evidence.record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" } ?? ""
    let verb = open.count == 1 ? "was" : "were"
    return [
      Conclusion(
        .warning,
        "the budget\(budget) ended before \(Wording.plural(open.count, "time")) \(verb) decided:"
          + " give more with --budget")
    ]
  }

  /// `; the widest is ±14 % (json/small write)`, of the phases that measuring waits for.
  private static func widest(_ cells: Set<Cell>, _ evidence: Evidence) -> String {
    let settings = evidence.record.settings
    let rule = PrecisionRule(
      relativeHalfWidth: settings.targetPrecision,
      emptySample: evidence.record.machine.emptySample)
    let awaited = evidence.rows.filter { row in
      cells.contains(row.cell) && row.metric.id == Metric.wall.id && row.series.isJudged
        && row.summary.map(rule.waits) ?? false
    }
    let widths = awaited.compactMap { row in row.summary?.relativeWidth.map { (row, $0) } }
    guard let (row, width) = widths.max(by: { $0.1 < $1.1 }) else { return "" }
    return "; the widest is \(Wording.precision(width)) (\(evidence.name(row.cell)) \(row.phase))"
  }
}
