import Basics
import BenchResults

/// What backends cost with one menu: a row a backend, a column a cost, each figure beside the best.
///
/// The tables of a run, the recommendation and the growth of costs are all read from it. The best is
/// that of the backends known to keep what was written: what keeps nothing is no choice for a menu,
/// however fast it is.
package struct CostTable: Sendable {
  /// The menu's name.
  package let menu: String
  /// What is known of it; nil where the record does not describe it.
  package let info: MenuInfo?
  /// The backends in the record's order.
  package let backends: [String]
  /// The deciding costs of every workload, in the record's order.
  package let columns: [CostColumn]
  /// The bytes of all files, and the most heap bytes at once; what of them was measured.
  package let sizes: [CostColumn]

  private let stored: CostColumn?
  private let record: RunRecord
  private let takesVolatile: Bool
  private let takesHeld: Bool
  private let finder: ColumnFinder
  private let series: [Series.Key: Series]
  private let floors: [Series.Key: FloorBound]
  /// What every backend has in ``columns`` and ``sizes``.
  private var known: [CostColumn: [String: CostEntry]] = [:]

  /// Sets out one menu's part of a record.
  ///
  /// - Parameters:
  ///   - floors: What the record's floors say of its phases, where that is known already.
  ///   - takesVolatile: Whether what keeps nothing may be the best, too.
  ///   - takesHeld: Whether figures of what a process holds anyway, whichever storage it has, are set
  ///     beside others.
  package init(
    menu: String, of record: RunRecord, floors: [Series.Key: FloorBound]? = nil,
    takesVolatile: Bool = false, takesHeld: Bool = true
  ) {
    self.menu = menu
    self.record = record
    self.takesVolatile = takesVolatile
    self.takesHeld = takesHeld
    self.floors = floors ?? FloorBound.all(record)
    info = record.menus.first { $0.name == menu }
    let here = record.cells.filter { $0.cell.menu == menu }
    finder = ColumnFinder(here, of: record)
    series = here.byKey
    columns = finder.deciding
    stored = finder.whole(Metric.storedBytes.id)
    sizes = [stored, finder.whole(Metric.peakHeapBytes.id)].compactMap(\.self)
    let cells = here.map(\.cell) + record.outcomes.map(\.cell) + record.failures.map(\.cell)
    backends = cells.filter { $0.menu == menu }.map(\.backend).distinct
    for column in (columns + sizes).distinct { known[column] = computed(column) }
  }

  /// The columns that a key stands for; none where nothing of it was measured.
  package func columns(for key: CostKey) -> [CostColumn] { finder.columns(for: key) }

  /// What a backend has in a column.
  package func entry(_ backend: String, _ column: CostColumn) -> CostEntry {
    entries(column)[backend] ?? .absent(lack(backend, column))
  }

  /// What every backend has in a column.
  func entries(_ column: CostColumn) -> [String: CostEntry] { known[column] ?? computed(column) }

  /// The route by which a backend came to a figure, where there is more than one.
  package func route(_ backend: String, _ column: CostColumn) -> String? {
    each(backend, column).compactMap(\.route).first
  }

  /// What is known of a backend.
  package func backend(_ id: String) -> BackendInfo? { record.backend(id) }

  /// Whether a backend is known to keep what was written; where an older record does not say it, what
  /// has a size is taken to be kept.
  package func keeps(_ backend: String) -> Bool {
    if let known = self.backend(backend)?.survivesRestart { return known }
    guard let stored else { return false }
    return figure(backend, stored).map { $0.value > 0 } ?? false
  }

  /// Whether it may be recommended, as far as keeping goes.
  func isRival(_ backend: String) -> Bool { takesVolatile || keeps(backend) }

  /// The least of a column's figures among what may be recommended, with whose it is; of equals the
  /// first, and nil where there is none.
  func leader(_ column: CostColumn) -> (backend: String, figure: CostFigure)? {
    leader(column, of: entries(column))
  }

  private func leader(
    _ column: CostColumn, of entries: [String: CostEntry]
  ) -> (backend: String, figure: CostFigure)? {
    let figures = backends.filter(isRival).compactMap { backend in
      entries[backend]?.figure.map { (backend: backend, figure: $0) }
    }.filter { takesHeld || !$0.figure.isHeld && $0.figure.counted > 0 }
    return column.metric.better == .lower
      ? figures.min { $0.figure.counted < $1.figure.counted }
      : figures.max { $0.figure.counted < $1.figure.counted }
  }

  /// Finds the best once, and sets every backend's figure beside it. Where a rival's time is below its
  /// floor it is not known which is the best.
  private func computed(_ column: CostColumn) -> [String: CostEntry] {
    let entries = Dictionary(
      uniqueKeysWithValues: backends.map { backend -> (String, CostEntry) in
        (
          backend,
          figure(backend, column).map(CostEntry.figure) ?? .absent(lack(backend, column))
        )
      })
    let isWithheld = backends.contains { isRival($0) && isBelowFloor($0, column) }
    guard !isWithheld, let best = leader(column, of: entries) else { return entries }
    return Dictionary(
      uniqueKeysWithValues: entries.map { backend, entry in
        guard case .figure(let figure) = entry, isRival(backend) else { return (backend, entry) }
        guard takesHeld || !figure.isHeld else { return (backend, entry) }
        let isBest = backend == best.backend
        return (backend, .figure(figure.beside(best.figure, isBest: isBest, column.metric.better)))
      })
  }

  /// Nil also where a phase of it is below its floor, so that its time cannot be true.
  private func figure(_ backend: String, _ column: CostColumn) -> CostFigure? {
    guard !isBelowFloor(backend, column) else { return nil }
    let series = each(backend, column)
    return column.samples(series).flatMap {
      CostFigure(
        samples: $0,
        least: column.leastTellable(series, on: record.machine(of: cell(backend, column))),
        isExact: column.metric.isExact,
        isHeld: series.contains { $0.route == Series.heldRoute })
    }
  }

  private func isBelowFloor(_ backend: String, _ column: CostColumn) -> Bool {
    each(backend, column).contains(where: isBelowFloor)
  }

  private func isBelowFloor(_ series: Series) -> Bool { floors[series.key]?.isError ?? false }

  /// A backend's series of a column, one a phase, as far as they are there.
  private func each(_ backend: String, _ column: CostColumn) -> [Series] {
    let cell = cell(backend, column)
    return column.phases.compactMap {
      series[Series.Key(cell: cell, phase: $0, metric: column.metric.id)]
    }
  }

  private func cell(_ backend: String, _ column: CostColumn) -> Cell {
    Cell(
      backend: backend, menu: menu, workload: column.workload, durability: column.durability)
  }

  /// Why a backend has no figure.
  private func lack(_ backend: String, _ column: CostColumn) -> CostLack {
    let cell = cell(backend, column)
    if let failure = record.failures.first(where: { $0.cell == cell }) {
      return .failed(failure.reason)
    }
    if let outcome = record.outcomes.first(where: { $0.cell == cell }),
      outcome.stop == .notApplicable
    {
      return .notApplicable(outcome.reason)
    }
    if let below = each(backend, column).first(where: isBelowFloor) {
      return .belowFloor(below.phase)
    }
    if let reason = each(backend, column).compactMap(\.unsupported).first {
      return .unsupported(reason)
    }
    return .notMeasured
  }
}

/// A backend's costs under one workload, as the first table of a run shows them.
package struct CostRow: Sendable {
  /// The backend's id.
  package let backend: String
  /// The workload's costs by their names; a cost that the cell lacks is absent.
  package let costs: [String: CostFigure]
  /// The costs that are absent because a phase of them is below its floor.
  package let withheld: Set<String>
  /// Bytes of every file that the backend keeps.
  package let stored: CostFigure?
  /// Whether it is known to keep what was written, and so may be the best.
  package let isRival: Bool
}

extension CostTable {
  /// The whole costs of a workload, those of a whole document first, and a row a backend: what is known
  /// to keep what was written in the order given, then the others.
  func rows(
    of backends: [String], _ workload: String, _ durability: String
  ) -> (costs: [WorkloadInfo.Cost], rows: [CostRow]) {
    let columns = finder.costs(of: workload, durability)
    let stored = finder.stored(of: workload, durability)
    let rows = backends.map { backend in
      let entries = columns.map { (name: $0.name, entry: entry(backend, $0)) }
      return CostRow(
        backend: backend,
        costs: Dictionary(
          entries.compactMap { entry in entry.entry.figure.map { (entry.name, $0) } }
        ) { first, _ in first },
        withheld: Set(
          entries.filter {
            if case .absent(.belowFloor) = $0.entry { true } else { false }
          }.map(\.name)),
        stored: stored.flatMap { entry(backend, $0).figure }, isRival: isRival(backend))
    }
    let shown = columns.filter { column in
      rows.contains { $0.costs[column.name] != nil || $0.withheld.contains(column.name) }
    }.map { WorkloadInfo.Cost(name: $0.name, phases: $0.phases) }
    let isWhole = { [WorkloadInfo.Cost.save, WorkloadInfo.Cost.load].contains($0) }
    return (
      shown.filter { isWhole($0.name) } + shown.filter { !isWhole($0.name) },
      rows.filter(\.isRival) + rows.filter { !$0.isRival }
    )
  }
}
