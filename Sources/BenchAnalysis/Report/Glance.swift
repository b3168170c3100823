import BenchResults

/// What one backend costs at a glance, each figure beside the best of its group.
///
/// Rivals are the backends whose stored size is known and above 0: what keeps nothing is no choice
/// for a menu, however fast it is.
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
    /// The median over the best rival's, 1 for the best itself; nil where either is 0 and of a
    /// backend that is no rival.
    public let multiple: Double?
    /// What a time must reach to be told from the clock's own cost; nil where unknown.
    public let leastTellable: Double?

    /// Whether the median is mostly the clock's own cost.
    public var isTiny: Bool { leastTellable.map { summary.p50 < $0 } ?? false }
  }

  /// One row a backend, of series that share all but the backend: the rivals in order of first
  /// occurrence, then the others.
  static func all(_ series: [Series], machine: Machine) -> [GlanceRow] {
    var seen: Set<String> = []
    let costs = series.map(\.cell.backend).filter { seen.insert($0).inserted }.map { backend in
      Costs(backend: backend, series.filter { $0.cell.backend == backend })
    }
    let rivals = costs.filter(\.isRival)
    // Two phases are two samples, each with a clock's cost of its own.
    let least = machine.leastTellable(.wall).map { 2 * $0 }
    return (rivals + costs.filter { !$0.isRival }).map { cost in
      let others = cost.isRival ? rivals : []
      return GlanceRow(
        backend: cost.backend, save: figure(cost.save, of: others.map(\.save), least),
        load: figure(cost.load, of: others.map(\.load), least),
        stored: figure(cost.stored, of: others.map(\.stored), nil))
    }
  }

  private static func figure(
    _ summary: Summary?, of rivals: [Summary?], _ leastTellable: Double?
  ) -> Figure? {
    guard let summary else { return nil }
    let best = rivals.compactMap { $0?.p50 }.filter { $0 > 0 }.min()
    return Figure(
      summary: summary, multiple: summary.p50 > 0 ? best.map { summary.p50 / $0 } : nil,
      leastTellable: leastTellable)
  }
}

/// The derived figures of one cell.
private struct Costs {
  var backend: String
  var save: Summary?
  var load: Summary?
  var stored: Summary?

  /// Whether it is known to keep anything.
  var isRival: Bool { stored.map { $0.p50 > 0 } ?? false }

  init(backend: String, _ series: [Series]) {
    self.backend = backend
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

extension Machine {
  /// What a time must reach to be told from an empty sample: twice its reading of that clock; nil
  /// where the reading is unknown and of metrics that no clock gives.
  func leastTellable(_ metric: Metric) -> Double? {
    emptyReading(metric).map { 2 * $0 }
  }

  /// The median reading of an empty sample.
  func emptyReading(_ metric: Metric) -> Double? {
    switch metric.id {
    case Metric.wall.id: emptySample
    case Metric.cpu.id: emptyCPUSample
    default: nil
    }
  }
}
