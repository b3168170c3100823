import Basics
import BenchResults

/// The costs of all backends with one menu: a row per backend, a column per cost, each figure compared
/// with the best.
///
/// A run's tables, the recommendation and the growth of costs read it. By default only a backend that is
/// known to keep its data can be the best: others are not a choice for a menu, however fast.
package struct CostTable: Sendable {
  package let menu: String
  package let info: MenuInfo?
  package let backends: [String]
  /// The deciding costs of every workload, in the record's order.
  package let columns: [CostColumn]
  /// The stored bytes and the peak of the heap, as far as they were measured.
  package let sizes: [CostColumn]
  /// The backend whose figures tables show the others as multiples of, or nil for the best.
  package let reference: String?

  private let stored: CostColumn?
  private let record: RunRecord
  private let takesVolatile: Bool
  private let takesHeld: Bool
  private let finder: ColumnFinder
  private let series: [Series.Key: Series]
  private let floors: [Series.Key: FloorBound]
  /// Every backend's entries in ``columns`` and ``sizes``.
  private var known: [CostColumn: [String: CostEntry]] = [:]
  /// The backends to choose from: all, unless a question requires promises.
  var candidates: [String]

  /// Builds the table of one menu from a record.
  ///
  /// - Parameters:
  ///   - floors: The floor bounds of the record's phases, if the caller has them already.
  ///   - takesVolatile: Whether a backend that keeps nothing may be the best, too.
  ///   - takesHeld: Whether values that a process holds in memory with any backend are compared
  ///     with others.
  ///   - reference: The backend that tables compare the others with, if it is not the best.
  package init(
    menu: String, of record: RunRecord, floors: [Series.Key: FloorBound]? = nil,
    takesVolatile: Bool = false, takesHeld: Bool = true, reference: String? = nil
  ) {
    (self.menu, self.record, self.takesVolatile) = (menu, record, takesVolatile)
    (self.takesHeld, self.reference) = (takesHeld, reference)
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
    candidates = backends
    for column in (columns + sizes).distinct { known[column] = computed(column) }
  }

  package func columns(for key: CostKey) -> [CostColumn] { finder.columns(for: key) }

  package func entry(_ backend: String, _ column: CostColumn) -> CostEntry {
    entries(column)[backend] ?? found(backend, column)
  }

  func entries(_ column: CostColumn) -> [String: CostEntry] { known[column] ?? computed(column) }

  /// The route by which a backend got a figure, if it has more than one route.
  package func route(_ backend: String, _ column: CostColumn) -> String? {
    each(backend, column).compactMap(\.route).first
  }

  package func backend(_ id: String) -> BackendInfo? { record.backend(id) }

  /// Whether a backend is known to keep its data. In older records a stored size shows it.
  package func keeps(_ backend: String) -> Bool {
    if let known = self.backend(backend)?.survivesRestart { return known }
    guard let stored else { return false }
    return found(backend, stored).figure.map { $0.value > 0 } ?? false
  }

  /// Whether a backend may be recommended: it keeps its data, or `takesVolatile` allows it.
  func isRival(_ backend: String) -> Bool { takesVolatile || keeps(backend) }

  /// Whether some of the ``candidates`` flush each save of a column and others do not. On small menus the
  /// flush alone would decide, so such a column has no common best.
  func isMixed(_ column: CostColumn) -> Bool { chosen(column, in: entries(column)).count > 1 }

  /// Returns the best of a column's figures among the backends that may be recommended. The first
  /// of equal ones wins. Returns nil if there is none, or no common one.
  func leader(_ column: CostColumn) -> (backend: String, figure: CostFigure)? {
    let entries = entries(column)
    let groups = chosen(column, in: entries)
    return groups.count == 1 ? leader(of: groups[0], column, entries) : nil
  }

  /// The groups of ``rivals(_:in:)`` that have candidates, or all if none has.
  private func chosen(_ column: CostColumn, in entries: [String: CostEntry]) -> [[String]] {
    let groups = rivals(column, in: entries)
    let own = groups.filter { $0.contains(where: candidates.contains) }
    return own.isEmpty ? groups : own
  }

  /// The backends with a figure that may be recommended, in one group, or in two if only some flush each save.
  private func rivals(_ column: CostColumn, in entries: [String: CostEntry]) -> [[String]] {
    let all = backends.filter { isRival($0) && entries[$0]?.figure != nil }
    let differ = Set(all.compactMap { flushes($0, column) }).count > 1
    return all.grouped { differ && flushes($0, column) == false }.map(\.elements)
  }

  /// Whether a backend flushes each save of a column. Nil if that is unknown, or if the column is no save.
  private func flushes(_ backend: String, _ column: CostColumn) -> Bool? {
    column.saves ? self.backend(backend)?.flushes?.contains(column.durability) : nil
  }

  private func leader(
    of backends: [String], _ column: CostColumn, _ entries: [String: CostEntry]
  ) -> (backend: String, figure: CostFigure)? {
    let figures = backends.compactMap { backend in
      entries[backend]?.figure.map { (backend: backend, figure: $0) }
    }.filter { takesHeld || !$0.figure.isHeld && $0.figure.counted > 0 }
    return column.metric.better == .lower
      ? figures.min { $0.figure.counted < $1.figure.counted }
      : figures.max { $0.figure.counted < $1.figure.counted }
  }

  /// Finds the best figure of each group once and compares its backends' figures with it. If the time of a
  /// backend that may be recommended is below its floor, the best is unknown.
  private func computed(_ column: CostColumn) -> [String: CostEntry] {
    var entries: [String: CostEntry] = [:]
    for backend in backends { entries[backend] = found(backend, column) }
    let isWithheld = backends.contains { isRival($0) && isBelowFloor($0, column) }
    let groups = rivals(column, in: entries)
    for group in groups {
      // A single one would always be the best of its group.
      let isAlone = groups.count > 1 && group.count == 1
      let best = isWithheld || isAlone ? nil : leader(of: group, column, entries)
      for backend in group {
        guard var figure = entries[backend]?.figure else { continue }
        if let best, takesHeld || !figure.isHeld {
          figure.best = figure.beside(
            best.figure, isOther: backend != best.backend, column.metric.better)
        }
        figure.isUnflushed = groups.count > 1 && flushes(backend, column) == false
        entries[backend] = .figure(figure)
      }
    }
    compare(&entries, column)
    return entries
  }

  /// Compares each figure with the reference's, as far as both were read from stores and both flush or neither.
  private func compare(_ entries: inout [String: CostEntry], _ column: CostColumn) {
    guard let reference, let other = entries[reference]?.figure else { return }
    for backend in backends {
      guard var figure = entries[backend]?.figure, !figure.isUnresolved,
        takesHeld || !figure.isHeld && !other.isHeld, figure.isUnflushed == other.isUnflushed
      else { continue }
      figure.reference = figure.beside(
        other, isOther: backend != reference, column.metric.better)
      entries[backend] = .figure(figure)
    }
  }

  /// Returns a backend's entry by itself. A phase below its floor cannot be true and gives no figure.
  private func found(_ backend: String, _ column: CostColumn) -> CostEntry {
    let (cell, series) = (cell(backend, column), each(backend, column))
    let below = series.first(where: isBelowFloor)
    if below == nil, let samples = column.samples(series),
      let figure = CostFigure(
        samples: samples, least: column.resolutionLimit(series, on: record.machine(of: cell)),
        isExact: column.metric.isExact,
        isHeld: series.contains { $0.route == Series.heldRoute })
    {
      return .figure(figure)
    }
    if let failure = record.failures.first(where: { $0.cell == cell }) {
      return .absent(.failed(failure.reason))
    }
    if let outcome = record.outcomes.first(where: { $0.cell == cell }),
      outcome.stop == .notApplicable
    {
      return .absent(.notApplicable(outcome.reason))
    }
    if let below { return .absent(.belowFloor(below.phase)) }
    return .absent(series.compactMap(\.unsupported).first.map(CostLack.unsupported) ?? .notMeasured)
  }

  private func isBelowFloor(_ backend: String, _ column: CostColumn) -> Bool {
    each(backend, column).contains(where: isBelowFloor)
  }

  private func isBelowFloor(_ series: Series) -> Bool { floors[series.key]?.isError ?? false }

  /// The series of a backend in a column: one for each phase that was measured.
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
}

/// A backend's costs in one workload, as shown in the first table of a run.
package struct CostRow: Sendable {
  package let backend: String
  /// The workload's costs by name, without those that the cell does not have.
  package let costs: [String: CostFigure]
  /// The costs that are absent because one of their phases is below its floor.
  package let withheld: Set<String>
  package let stored: CostFigure?
  /// Whether the backend is known to keep its data, and so may be the best.
  package let isRival: Bool
  package let info: BackendInfo?
}

extension CostTable {
  /// Returns the costs of a workload, those of a whole document first, and one row per backend. The
  /// backends that keep their data come first, in the given order.
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
        stored: stored.flatMap { entry(backend, $0).figure }, isRival: isRival(backend),
        info: self.backend(backend))
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
