import BenchResults

/// What storages cost with one menu: a row a backend, a column a cost, each figure beside the best.
///
/// The best is that of the storages known to keep what was written: what keeps nothing is no choice
/// for a menu, however fast it is.
public struct CostSheet: Sendable {
  /// The menu's name.
  public let menu: String
  /// What is known of it; nil where the record does not describe it.
  public let info: MenuInfo?
  /// The backends in the record's order.
  public let backends: [String]
  /// The deciding costs of every workload, in the record's order.
  public let columns: [CostColumn]
  /// The bytes of all files, and the most heap bytes at once; what of them was measured.
  public let sizes: [CostColumn]

  private let record: RunRecord
  private let takesVolatile: Bool
  private let finder: ColumnFinder
  private let series: [Series.Key: Series]

  /// Sets out one menu's part of a record.
  public init(menu: String, of record: RunRecord, takesVolatile: Bool = false) {
    self.menu = menu
    self.record = record
    self.takesVolatile = takesVolatile
    info = record.menus.first { $0.name == menu }
    let here = record.cells.filter { $0.cell.menu == menu }
    finder = ColumnFinder(here)
    series = Dictionary(here.map { ($0.key, $0) }) { first, _ in first }
    columns = finder.deciding
    sizes = [Metric.storedBytes, .peakHeapBytes].compactMap { [finder] in finder.whole($0.id) }
    let cells = here.map(\.cell) + record.outcomes.map(\.cell) + record.failures.map(\.cell)
    var seen: Set<String> = []
    backends = cells.filter { $0.menu == menu }.map(\.backend)
      .filter { seen.insert($0).inserted }
  }

  /// The columns that a key stands for; none where nothing of it was measured.
  public func columns(for key: CostKey) -> [CostColumn] { finder.columns(for: key) }

  /// What a backend has in a column.
  public func entry(_ backend: String, _ column: CostColumn) -> CostEntry {
    guard let figure = figure(backend, column) else { return .absent(lack(backend, column)) }
    return .figure(figure, multiple: isRival(backend) ? multiple(figure, column) : nil)
  }

  /// The route by which a backend came to a figure, where there is more than one.
  public func route(_ backend: String, _ column: CostColumn) -> String? {
    each(backend, column).compactMap(\.route).first
  }

  /// What is known of a backend.
  public func backend(_ id: String) -> BackendInfo? { record.backends.first { $0.id == id } }

  /// Whether a backend is known to keep what was written; where an older record does not say it, what
  /// has a size is taken to be kept.
  public func keeps(_ backend: String) -> Bool {
    if let known = self.backend(backend)?.survivesRestart { return known }
    guard let stored = finder.whole(Metric.storedBytes.id) else { return false }
    return figure(backend, stored).map { $0.value > 0 } ?? false
  }

  private func isRival(_ backend: String) -> Bool { takesVolatile || keeps(backend) }

  /// The least of a column's figures among what may be recommended; nil where there is none.
  func best(_ column: CostColumn) -> Double? {
    let figures = backends.filter(isRival).compactMap { figure($0, column) }
    let values = figures.map(\.counted)
    return column.metric.better == .lower ? values.min() : values.max()
  }

  private func multiple(_ figure: CostFigure, _ column: CostColumn) -> Double? {
    guard let best = best(column), best > 0, figure.counted > 0 else { return nil }
    return column.metric.better == .lower ? figure.counted / best : best / figure.counted
  }

  private func figure(_ backend: String, _ column: CostColumn) -> CostFigure? {
    column.blocks(each(backend, column)).flatMap {
      CostFigure(
        blocks: $0, least: column.leastTellable(on: record.machine),
        isExact: column.metric.isExact)
    }
  }

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
    if let reason = each(backend, column).compactMap(\.unsupported).first {
      return .unsupported(reason)
    }
    return .notMeasured
  }
}
