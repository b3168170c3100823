import BenchResults

/// Doubts about single figures.
extension Analysers {
  /// Values that are no numbers.
  @Sendable static func notFinite(_ evidence: Evidence) -> [Conclusion] {
    let broken = evidence.record.cells.filter { !$0.blocks.joined().allSatisfy(\.isFinite) }
      .map { "\(evidence.name($0.cell)) \($0.phase) \($0.metric.id)" }
    guard !broken.isEmpty else { return [] }
    return [
      Conclusion(
        .error, "a value is no number, so that there are no figures: \(Wording.list(broken))")
    ]
  }

  /// Exact metrics that were not, a line a metric.
  @Sendable static func notExact(_ evidence: Evidence) -> [Conclusion] {
    let sides = [("", evidence.record), (" in the baseline", evidence.baseline)]
    return sides.flatMap { side, record in
      let uneven = (record?.cells ?? []).filter(\.disagrees)
      return Dictionary(grouping: uneven, by: \.metric.id).sorted { $0.key < $1.key }.map {
        let places = Wording.list($0.value.map { range($0, evidence) })
        return Conclusion(
          .warning, "\($0.key) should be exact and differs between blocks\(side): \(places)")
      }
    }
  }

  /// `json/large encode (7 to 9)`.
  private static func range(_ series: Series, _ evidence: Evidence) -> String {
    let medians = (series.blockMedians ?? []).sorted()
    let range = [medians.first, medians.last].compactMap { $0 }
      .map { Wording.value($0, series.metric.unit) }.joined(separator: " to ")
    return "\(evidence.name(series.cell)) \(series.phase) (\(range))"
  }

  /// Times that are mostly the measuring itself, a line a clock.
  @Sendable static func emptySample(_ evidence: Evidence) -> [Conclusion] {
    [Metric.wall, .cpu].compactMap { metric in
      let machine = evidence.record.machine
      let tiny = evidence.rows.filter { $0.metric.id == metric.id && $0.isTiny }
      guard !tiny.isEmpty, let empty = machine.emptyReading(metric),
        let least = machine.leastTellable(metric)
      else { return nil }
      return Conclusion(
        .hint,
        "\(Wording.plural(tiny.count, "\(metric.id) time")) of \(evidence.names(tiny.map(\.cell)))"
          + " cannot be told from an empty sample's \(Wording.time(empty)): shown as"
          + " < \(Wording.time(least))")
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
    return [
      Conclusion(
        .hint,
        "no interval of the median at 95 % from \(Wording.plural(most, "block")):"
          + " need \(need) blocks (\(evidence.names(few.map(\.cell))))")
    ]
  }
}
