import BenchResults

/// Doubts about single figures.
extension Analysers {
  /// Values that are no numbers.
  @Sendable static func notFinite(_ evidence: Evidence) -> [Conclusion] {
    evidence.record.cells.filter { !$0.blocks.joined().allSatisfy(\.isFinite) }.map {
      Conclusion(.error, "\($0.cell) \($0.phase) \($0.metric.id) holds a value that is no number")
    }
  }

  /// Exact metrics that were not.
  @Sendable static func notExact(_ evidence: Evidence) -> [Conclusion] {
    let sides = [("", evidence.record), ("the baseline's ", evidence.baseline)]
    return sides.flatMap { owner, record in
      (record?.cells ?? []).filter(\.disagrees).map { series in
        let medians = (series.blockMedians ?? []).sorted()
        let range = [medians.first, medians.last].compactMap { $0 }
          .map { Wording.value($0, series.metric.unit) }.joined(separator: " to ")
        return Conclusion(
          .warning,
          "\(owner)\(series.cell) \(series.phase) \(series.metric.id) should be exact and"
            + " differs between blocks: \(range)")
      }
    }
  }

  /// Times that are mostly the measuring itself.
  @Sendable static func emptySample(_ evidence: Evidence) -> [Conclusion] {
    guard let empty = evidence.record.machine.emptySample else { return [] }
    return evidence.rows.filter { $0.metric.id == Metric.wall.id }.compactMap { row in
      guard let p50 = row.summary?.p50, p50 < 2 * empty else { return nil }
      return Conclusion(
        .hint,
        "\(row.place) takes \(Wording.time(p50)) and cannot be told from an empty sample"
          + " (\(Wording.time(empty)))")
    }
  }

  /// Cells of too few blocks for an interval.
  @Sendable static func tooFewBlocks(_ evidence: Evidence) -> [Conclusion] {
    let need = Statistics.fewestForMedianInterval
    let few = evidence.rows.filter {
      $0.series.isJudged && $0.metric.id == Metric.wall.id
        && $0.summary.map { $0.blocks < need }
          ?? false
    }
    guard let most = few.compactMap(\.summary?.blocks).max() else { return [] }
    var seen: Set<Cell> = []
    let cells = few.map(\.cell).filter { seen.insert($0).inserted }.map(\.description)
    return [
      Conclusion(
        .hint,
        "no interval of the median at 95 % from \(Wording.plural(most, "block")):"
          + " need \(need) blocks (\(Wording.list(cells)))")
    ]
  }

  /// Cells that ran out of time.
  @Sendable static func budget(_ evidence: Evidence) -> [Conclusion] {
    let asked = Wording.percent(evidence.record.settings.targetPrecision)
    return evidence.record.outcomes.filter { $0.stop == .budget }.map { outcome in
      let reached = width(of: outcome.cell, evidence.rows).map { "±\(Wording.percent($0))" }
      return Conclusion(
        .warning,
        "\(outcome.cell): the budget ended after"
          + " \(Wording.plural(outcome.timedBlocks, "block")) with the median known to"
          + " \(reached ?? "no interval"); ±\(asked) was asked for")
    }
  }

  /// The widest interval of a cell's phases.
  private static func width(of cell: Cell, _ rows: [ReportRow]) -> Double? {
    rows.filter { $0.cell == cell && $0.metric.id == Metric.wall.id && $0.series.isJudged }
      .compactMap(\.summary?.relativeWidth).max()
  }
}
