import Basics
import BenchResults

/// What one backend costs at a glance, each figure beside the best of its group.
///
/// Only whole costs stand here, such as saving and loading: what their phases do differs from backend
/// to backend. Rivals are the backends that are known to keep what was written: what keeps nothing is no
/// choice for a menu, however fast it is. Nor is a figure a rival that is of what a process holds anyway,
/// whichever storage it has.
package struct GlanceRow: Sendable {
  /// The backend's id.
  package let backend: String
  /// Wall time of the workload's costs by their names, phases added sample by sample; a cost that the
  /// cell lacks is absent.
  package private(set) var costs: [String: Figure]
  /// The costs that are absent because a phase of them is below its floor: nobody knows then which
  /// backend is best at it.
  package private(set) var withheld: Set<String> = []
  /// Bytes of every file that the backend keeps.
  package private(set) var stored: Figure?
  /// Whether it is known to keep what was written, and so may be the best.
  package private(set) var isRival: Bool

  /// A figure and what multiple of the best in the group it is.
  package struct Figure: Sendable {
    /// What the values come to.
    package let summary: Summary
    /// The values, an array a block.
    package let blocks: [[Double]]
    /// What counts over what counts of the best rival, 1 for the best itself; nil where either is 0
    /// and of what is no rival.
    package fileprivate(set) var multiple: Double?
    /// Whether another's is the best and the intervals of both overlap: too close to call, equal medians
    /// included.
    package fileprivate(set) var isClose = false
    /// Whether it is of what the process holds, so that no store was read for it.
    package var isHeld = false
    /// Whether the best is mostly the clock's own cost, so that the multiple is the least that it can be.
    package fileprivate(set) var isAtLeast = false
    /// What a time must reach to be told from the clock's own cost; nil where unknown.
    package var leastTellable: Double?

    /// Whether the median is mostly the clock's own cost.
    package var isTiny: Bool { leastTellable.map { summary.p50 < $0 } ?? false }

    /// What multiples are taken of: what cannot be told from the clock's own cost counts as that.
    private var counted: Double { max(summary.p50, leastTellable ?? 0) }

    /// The figure of one backend beside those of the rivals, each with its backend.
    fileprivate func beside(
      _ rivals: [(backend: String, figure: Figure)], as backend: String
    ) -> Figure {
      let known = rivals.filter { $0.figure.counted > 0 && !$0.figure.isHeld }
      let first = known.min { $0.figure.counted < $1.figure.counted }
      guard let first, counted > 0, !isHeld else { return self }
      let best = first.figure
      var figure = self
      figure.multiple = counted / best.counted
      figure.isAtLeast = best.isTiny && counted > best.counted
      figure.isClose = backend != first.backend && summary.isClose(to: best.summary)
      return figure
    }
  }

  /// One row a backend, of rows that share all but the backend: the rivals in order of first
  /// occurrence, then the others. Of a phase that cannot be true no cost is made.
  ///
  /// - Parameter record: says whether a backend keeps what was written; one of which it does not is taken
  ///   to where it has a stored size above 0.
  static func all(
    _ rows: [ReportRow], _ workload: WorkloadInfo, of record: RunRecord, machine: Machine
  ) -> [GlanceRow] {
    let rows = rows.grouped(by: \.series.cell.backend).map {
      GlanceRow(
        backend: $0.key, $0.elements, workload, keeps: record.backend($0.key)?.survivesRestart,
        machine)
    }
    let rivals = rows.filter(\.isRival)
    return rivals.map { $0.beside(rivals) } + rows.filter { !$0.isRival }
  }

  private init(
    backend: String, _ rows: [ReportRow], _ workload: WorkloadInfo, keeps: Bool?,
    _ machine: Machine
  ) {
    self.backend = backend
    let wrong = rows.filter { $0.floor?.isError == true }.map(\.series.phase)
    let series = rows.map(\.series)
    let wall = series.filter { $0.metric.id == Metric.wall.id && !wrong.contains($0.phase) }
    costs = workload.costs.reduce(into: [:]) { costs, cost in
      costs[cost.name] = Self.figure(cost, wall, machine)
    }
    for cost in workload.costs where !Set(cost.phases).isDisjoint(with: wrong) {
      costs[cost.name] = nil
      withheld.insert(cost.name)
    }
    let stored = series.first { $0.metric.id == Metric.storedBytes.id }.flatMap { series in
      Summary(series).map { Figure(summary: $0, blocks: series.blocks) }
    }
    self.stored = stored
    isRival = keeps ?? stored.map { $0.summary.p50 > 0 } ?? false
  }

  /// Nil where a phase that it needs is absent or the samples of two do not match one to one.
  private static func figure(
    _ cost: WorkloadInfo.Cost, _ wall: [Series], _ machine: Machine
  ) -> Figure? {
    let phases = wall.filter { cost.phases.contains($0.phase) }
    guard Set(cost.needed).isSubset(of: phases.map(\.phase)) else { return nil }
    // Every phase is a sample with a clock's cost of its own.
    let least = phases.compactMap { machine.leastTellable($0) }
    guard let blocks = CostColumn.summed(phases.map(\.blocks)),
      let summary = Summary(blocks: blocks)
    else { return nil }
    return Figure(
      summary: summary, blocks: blocks, isHeld: phases.contains { $0.route == Series.heldRoute },
      leastTellable: least.isEmpty ? nil : least.reduce(0, +))
  }

  private func beside(_ rivals: [GlanceRow]) -> GlanceRow {
    func figures(_ of: (GlanceRow) -> Figure?) -> [(backend: String, figure: Figure)] {
      rivals.compactMap { rival in of(rival).map { (backend: rival.backend, figure: $0) } }
    }
    var row = self
    row.costs = costs.reduce(into: [:]) { costs, cost in
      let isWhole = !rivals.contains { $0.withheld.contains(cost.key) }
      costs[cost.key] =
        isWhole
        ? cost.value.beside(figures { $0.costs[cost.key] }, as: backend) : cost.value
    }
    row.stored = stored?.beside(figures(\.stored), as: backend)
    return row
  }
}

extension Report {
  /// Wall time of the costs that have more than one phase, a row a backend, with the cost's name for a phase; of none
  /// that cannot be true.
  package var costRows: [ReportRow] {
    groups.flatMap { group in
      group.glance.flatMap { glance in
        group.costs.filter { !$0.phases.contains($0.name) }.compactMap { cost in
          glance.costs[cost.name].map { figure in
            let cell = Cell(
              backend: glance.backend, menu: group.menu, workload: group.workload,
              durability: group.durability)
            return ReportRow(
              Series(cell: cell, phase: cost.name, metric: .wall, blocks: figure.blocks), figure)
          }
        }
      }
    }
  }
}

extension Summary {
  /// Whether the intervals of both are known and overlap, so that which is less is too close to call.
  package func isClose(to other: Summary) -> Bool {
    guard let interval, let other = other.interval else { return false }
    return interval.overlaps(other)
  }
}
