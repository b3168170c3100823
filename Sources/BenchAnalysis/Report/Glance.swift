import Basics
import BenchResults

/// What one backend costs at a glance, each figure beside the best of its group.
///
/// Rivals are the backends whose stored size is known and above 0: what keeps nothing is no choice
/// for a menu, however fast it is.
package struct GlanceRow: Sendable {
  /// The backend's id.
  package let backend: String
  /// Wall time of the phases that save, added sample by sample; nil where the cell lacks one.
  package private(set) var save: Figure?
  /// Wall time of the phases that load, added sample by sample; nil where the cell lacks one.
  package private(set) var load: Figure?
  /// Bytes of every file that the backend keeps.
  package private(set) var stored: Figure?

  /// A figure and what multiple of the best in the group it is.
  package struct Figure: Sendable {
    /// What the values come to.
    package let summary: Summary
    /// The median over the best rival's, 1 for the best itself; nil where either is 0 and of a
    /// backend that is no rival.
    package fileprivate(set) var multiple: Double?
    /// What a time must reach to be told from the clock's own cost; nil where unknown.
    package var leastTellable: Double?

    /// Whether the median is mostly the clock's own cost.
    package var isTiny: Bool { leastTellable.map { summary.p50 < $0 } ?? false }
  }

  /// One row a backend, of series that share all but the backend: the rivals in order of first
  /// occurrence, then the others.
  static func all(_ series: [Series], _ workload: WorkloadInfo, machine: Machine) -> [GlanceRow] {
    let rows = series.grouped(by: \.cell.backend).map {
      GlanceRow(backend: $0.key, $0.elements, workload, machine)
    }
    let rivals = rows.filter(\.isRival)
    return rivals.map { $0.beside(rivals) } + rows.filter { !$0.isRival }
  }

  private init(
    backend: String, _ series: [Series], _ workload: WorkloadInfo, _ machine: Machine
  ) {
    self.backend = backend
    let wall = series.filter { $0.metric.id == Metric.wall.id }
    (save, load) = (
      Self.cost(WorkloadInfo.Cost.save, workload, wall, machine),
      Self.cost(WorkloadInfo.Cost.load, workload, wall, machine)
    )
    stored = series.first { $0.metric.id == Metric.storedBytes.id }.flatMap { Summary($0) }
      .map { Figure(summary: $0) }
  }

  /// Nil where a phase is absent or the samples of two do not match one to one.
  private static func cost(
    _ name: String, _ workload: WorkloadInfo, _ wall: [Series], _ machine: Machine
  ) -> Figure? {
    let cost = workload.deciding(wall.map(\.phase).distinct).first { $0.name == name }
    let phases = cost?.phases.compactMap { phase in wall.first { $0.phase == phase }?.blocks } ?? []
    // Every phase is a sample with a clock's cost of its own.
    let least = machine.leastTellable(.wall).map { Double(phases.count) * $0 }
    return CostColumn.summed(phases).flatMap { Summary(blocks: $0) }.map {
      Figure(summary: $0, leastTellable: least)
    }
  }

  /// Whether it is known to keep anything.
  private var isRival: Bool { stored.map { $0.summary.p50 > 0 } ?? false }

  /// The row with what multiple of the best each figure is.
  private func beside(_ rivals: [GlanceRow]) -> GlanceRow {
    var row = self
    for path in [\GlanceRow.save, \.load, \.stored] {
      let best = rivals.compactMap { $0[keyPath: path]?.summary.p50 }.filter { $0 > 0 }.min()
      guard let p50 = self[keyPath: path]?.summary.p50, p50 > 0 else { continue }
      row[keyPath: path]?.multiple = best.map { p50 / $0 }
    }
    return row
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
