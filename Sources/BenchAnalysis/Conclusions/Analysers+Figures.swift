import BenchResults

/// Doubts about single figures.
extension Analysers {
  /// Values that are no numbers.
  @Sendable static func notFinite(_ evidence: Evidence) -> [Conclusion] {
    evidence.record.cells.filter { !$0.blocks.joined().allSatisfy(\.isFinite) }.map {
      Conclusion(.error, "\($0.cell) \($0.phase) \($0.metric.id) holds a value that is no number")
    }
  }

  /// Exact metrics that were not, a line a metric.
  @Sendable static func notExact(_ evidence: Evidence) -> [Conclusion] {
    let sides = [("", evidence.record), (" in the baseline", evidence.baseline)]
    return sides.flatMap { side, record in
      let uneven = (record?.cells ?? []).filter(\.disagrees)
      return Dictionary(grouping: uneven, by: \.metric.id).sorted { $0.key < $1.key }.map {
        let places = Wording.list($0.value.map(range))
        return Conclusion(
          .warning, "\($0.key) should be exact and differs between blocks\(side): \(places)")
      }
    }
  }

  /// `json/large/roundtrip/atomic encode (7 to 9)`.
  private static func range(_ series: Series) -> String {
    let medians = (series.blockMedians ?? []).sorted()
    let range = [medians.first, medians.last].compactMap { $0 }
      .map { Wording.value($0, series.metric.unit) }.joined(separator: " to ")
    return "\(series.cell) \(series.phase) (\(range))"
  }

  /// Times that are mostly the measuring itself.
  @Sendable static func emptySample(_ evidence: Evidence) -> [Conclusion] {
    guard let empty = evidence.record.machine.emptySample else { return [] }
    let tiny = evidence.rows.compactMap { row -> String? in
      guard row.metric.id == Metric.wall.id, let p50 = row.summary?.p50, p50 < 2 * empty else {
        return nil
      }
      return "\(row.cell) \(row.phase) (\(Wording.time(p50)))"
    }
    guard !tiny.isEmpty else { return [] }
    return [
      Conclusion(
        .hint,
        "cannot be told from an empty sample (\(Wording.time(empty))):"
          + " \(Wording.list(tiny))")
    ]
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
    let cells = evidence.record.outcomes.filter { $0.stop == .budget }.map { outcome in
      let width = width(of: outcome.cell, evidence.rows).map { "±\(Wording.percent($0))" }
      return "\(outcome.cell) (\(width ?? "no interval") after"
        + " \(Wording.plural(outcome.timedBlocks, "block")))"
    }
    guard !cells.isEmpty else { return [] }
    let asked = Wording.percent(evidence.record.settings.targetPrecision)
    return [
      Conclusion(
        .warning,
        "the budget ended before the median was known to ±\(asked):"
          + " \(Wording.list(cells))")
    ]
  }

  /// The widest interval of a cell's phases.
  private static func width(of cell: Cell, _ rows: [ReportRow]) -> Double? {
    rows.filter { $0.cell == cell && $0.metric.id == Metric.wall.id && $0.series.isJudged }
      .compactMap(\.summary?.relativeWidth).max()
  }
}
