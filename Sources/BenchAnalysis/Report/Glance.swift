import BenchResults

/// What one backend costs at a glance, each figure beside the best of its group.
public struct GlanceRow: Sendable {
  /// The backend's id.
  public let backend: String
  /// Wall time of encode and write, sample by sample; nil where the cell lacks either.
  public let save: Figure?
  /// Wall time of read and decode, sample by sample; nil where the cell lacks either.
  public let load: Figure?
  /// Bytes of every file that the storage keeps.
  public let stored: Figure?

  /// A figure and what multiple of the best in the group it is.
  public struct Figure: Hashable, Sendable {
    /// What the values come to.
    public let summary: Summary
    /// The median over the best of the group, 1 for the best itself; nil where either is 0.
    ///
    /// The best is the smallest above 0 among the backends that store anything: one that keeps
    /// nothing is no rival of those that do, unless none does.
    public let multiple: Double?
  }

  /// One row a backend, in order of first occurrence, of series that share all but the backend.
  static func all(_ series: [Series]) -> [GlanceRow] {
    var seen: Set<String> = []
    let backends = series.map(\.cell.backend).filter { seen.insert($0).inserted }
    let costs = backends.map { backend in
      Costs(series.filter { $0.cell.backend == backend })
    }
    let storing = costs.filter { $0.stored?.p50 != 0 }
    let rivals = storing.isEmpty ? costs : storing
    return zip(backends, costs).map { backend, cost in
      GlanceRow(
        backend: backend, save: figure(cost.save, of: rivals.map(\.save)),
        load: figure(cost.load, of: rivals.map(\.load)),
        stored: figure(cost.stored, of: rivals.map(\.stored)))
    }
  }

  private static func figure(_ summary: Summary?, of rivals: [Summary?]) -> Figure? {
    guard let summary else { return nil }
    let best = rivals.compactMap { $0?.p50 }.filter { $0 > 0 }.min()
    return Figure(summary: summary, multiple: summary.p50 > 0 ? best.map { summary.p50 / $0 } : nil)
  }
}

/// The derived figures of one cell.
private struct Costs {
  var save: Summary?
  var load: Summary?
  var stored: Summary?

  init(_ series: [Series]) {
    save = Self.sum("encode", "write", series)
    load = Self.sum("read", "decode", series)
    stored = series.first { $0.metric.id == Metric.storedBytes.id }.flatMap { Summary($0) }
  }

  /// Phases of one pass are added before any median is taken: medians do not add up. Nil where the
  /// samples of the two do not match one to one.
  private static func sum(_ first: String, _ second: String, _ series: [Series]) -> Summary? {
    let wall = series.filter { $0.metric.id == Metric.wall.id }
    guard let left = wall.first(where: { $0.phase == first })?.blocks,
      let right = wall.first(where: { $0.phase == second })?.blocks,
      left.map(\.count) == right.map(\.count)
    else { return nil }
    return Summary(blocks: zip(left, right).map { zip($0, $1).map { $0 + $1 } })
  }
}
