import Basics
import BenchResults

/// What backends cost with one menu: a row a backend, a column a cost, each figure beside the best.
///
/// The best is that of the backends known to keep what was written: what keeps nothing is no choice
/// for a menu, however fast it is.
package struct CostSheet: Sendable {
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
  private let finder: ColumnFinder
  private let series: [Series.Key: Series]
  private let floors: [Series.Key: FloorBound]

  /// Sets out one menu's part of a record.
  package init(menu: String, of record: RunRecord, takesVolatile: Bool = false) {
    self.menu = menu
    self.record = record
    self.takesVolatile = takesVolatile
    info = record.menus.first { $0.name == menu }
    let here = record.cells.filter { $0.cell.menu == menu }
    finder = ColumnFinder(here, of: record)
    series = here.byKey
    floors = FloorBound.all(record)
    columns = finder.deciding
    stored = finder.whole(Metric.storedBytes.id)
    sizes = [stored, finder.whole(Metric.peakHeapBytes.id)].compactMap(\.self)
    let cells = here.map(\.cell) + record.outcomes.map(\.cell) + record.failures.map(\.cell)
    backends = cells.filter { $0.menu == menu }.map(\.backend).distinct
  }

  /// The columns that a key stands for; none where nothing of it was measured.
  package func columns(for key: CostKey) -> [CostColumn] { finder.columns(for: key) }

  /// What a backend has in a column.
  package func entry(_ backend: String, _ column: CostColumn) -> CostEntry {
    entry(backend, column, figure(backend, column), beside: best(column))
  }

  /// What every backend of the sheet has in a column: the best is looked for once.
  func entries(_ column: CostColumn) -> [String: CostEntry] {
    let figures = backends.map { (backend: $0, figure: figure($0, column)) }
    let best = leader(
      column, of: figures.compactMap { row in row.figure.map { (row.backend, $0) } })?.figure
    return Dictionary(
      uniqueKeysWithValues: figures.map {
        ($0.backend, entry($0.backend, column, $0.figure, beside: best))
      })
  }

  private func entry(
    _ backend: String, _ column: CostColumn, _ figure: CostFigure?, beside best: CostFigure?
  ) -> CostEntry {
    guard var figure else { return .absent(lack(backend, column)) }
    guard isRival(backend), let best else { return .figure(figure, multiple: nil) }
    figure.isClose = figure.counted != best.counted && figure.isClose(to: best)
    return .figure(figure, multiple: multiple(figure, best, column))
  }

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

  /// Multiples whose products and powers stay numbers.
  private static let largestMultiple = 1e100

  /// Whether it may be recommended, as far as keeping goes.
  func isRival(_ backend: String) -> Bool { takesVolatile || keeps(backend) }

  /// The least of a column's figures among what may be recommended; nil where there is none.
  func best(_ column: CostColumn) -> CostFigure? { leader(column)?.figure }

  /// The best of a column, with whose it is; of equals the first.
  func leader(_ column: CostColumn) -> (backend: String, figure: CostFigure)? {
    leader(
      column, of: backends.compactMap { backend in figure(backend, column).map { (backend, $0) } })
  }

  private func leader(
    _ column: CostColumn, of all: [(backend: String, figure: CostFigure)]
  ) -> (backend: String, figure: CostFigure)? {
    let figures = all.filter { isRival($0.backend) }
    return column.metric.better == .lower
      ? figures.min { $0.figure.counted < $1.figure.counted }
      : figures.max { $0.figure.counted < $1.figure.counted }
  }

  private func multiple(
    _ figure: CostFigure, _ best: CostFigure, _ column: CostColumn
  ) -> Double? {
    guard best.counted > 0, figure.counted > 0 else { return nil }
    let multiple =
      column.metric.better == .lower
      ? figure.counted / best.counted : best.counted / figure.counted
    return multiple <= Self.largestMultiple ? multiple : nil
  }

  /// Nil also where a phase of it is below its floor, so that its time cannot be true.
  private func figure(_ backend: String, _ column: CostColumn) -> CostFigure? {
    let series = each(backend, column)
    guard !series.contains(where: isBelowFloor) else { return nil }
    return column.blocks(series).flatMap {
      CostFigure(
        blocks: $0,
        least: column.leastTellable(series, on: record.machine(of: cell(backend, column))),
        isExact: column.metric.isExact)
    }
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
      return .failed("its \(below.phase) is below its floor, so that its time cannot be true")
    }
    if let reason = each(backend, column).compactMap(\.unsupported).first {
      return .unsupported(reason)
    }
    return .notMeasured
  }
}

/// One thing by which backends are set side by side: a column of figures, a row a backend.
package struct CostColumn: Hashable, Sendable {
  /// The workload's id.
  package let workload: String
  /// The durability at which it was measured.
  package let durability: String
  /// What it is called within the workload: a deciding cost, a phase with its metric, or a metric.
  package let name: String
  /// What is measured.
  package let metric: Metric
  /// The phases that it is made of.
  package let phases: [String]
  /// Those of them without which a backend has no figure; the others it may not have.
  package let needed: [String]
  /// How a block's values become the block's figure.
  package let reading: Reading

  /// How a block's values become the block's figure.
  package enum Reading: Hashable, Sendable {
    /// The phases are added pass by pass, and the median of the passes taken.
    case sum
    /// The median of the phase that has the most.
    case largest
    /// The most of any pass of any phase: how far a file grew.
    case most
  }

  /// The key that asks for it: `roundtrip/save`; of a metric of a whole pass the metric's id.
  package var title: String { name == metric.id ? name : "\(workload)/\(name)" }
}

extension CostColumn {
  /// The block's figures of one backend's series, in run order; nil where there are none, and of a
  /// sum where a phase has no values or the phases' passes do not match one to one.
  func blocks(_ series: [Series]) -> [Double]? {
    let blocks = series.map(\.blocks)
    guard blocks.joined().joined().allSatisfy(\.isFinite) else { return nil }
    switch reading {
    case .sum:
      guard Set(needed).isSubset(of: series.map(\.phase)), !blocks.joined().joined().isEmpty
      else { return nil }
      return Self.summed(blocks)?.compactMap(Statistics.median)
    case .largest: return Self.most(blocks) { Statistics.median($0) }
    case .most: return Self.most(blocks) { $0.max() }
    }
  }

  /// The phases of one pass, each with its blocks, added sample by sample before any median is taken:
  /// medians do not add up. Nil of no phase, and where the samples of two do not match one to one.
  static func summed(_ phases: [[[Double]]]) -> [[Double]]? {
    guard let first = phases.first,
      phases.allSatisfy({ $0.map(\.count) == first.map(\.count) })
    else { return nil }
    return phases.dropFirst().reduce(first) { sums, more in
      zip(sums, more).map { zip($0, $1).map(+) }
    }
  }

  /// The most that any phase has in each block, of the phases that have values: what cannot compact
  /// has its size all the same.
  private static func most(
    _ blocks: [[[Double]]], of figure: ([Double]) -> Double?
  ) -> [Double]? {
    let figures = blocks.map { $0.compactMap(figure) }.filter { !$0.isEmpty }
    guard let count = figures.map(\.count).min() else { return nil }
    return (0..<count).compactMap { block in figures.map { $0[block] }.max() }
  }

  /// What a figure must reach to be told from what measuring its phases costs or misses; 0 where it is
  /// known to be exact.
  func leastTellable(_ series: [Series], on machine: Machine) -> Double {
    if metric.id == Metric.peakHeapBytes.id { return Metric.peakHeapResolution }
    return series.reduce(0) { $0 + (machine.leastTellable($1) ?? 0) }
  }
}

/// What a backend has in a column of a ``CostSheet``.
package enum CostEntry: Equatable, Sendable {
  /// A figure, and what multiple of the best it is: 1 for the best itself; nil where either is 0 or the
  /// multiple is above 1e100, and of what keeps nothing and so is no rival.
  case figure(CostFigure, multiple: Double?)
  /// No figure, which is never taken for a good one.
  case absent(CostLack)

  /// The figure; nil where there is none.
  package var figure: CostFigure? {
    guard case .figure(let figure, _) = self else { return nil }
    return figure
  }
}

/// Why there is no figure.
package enum CostLack: Equatable, Sendable {
  /// The cell failed, for this reason.
  case failed(String)
  /// The workload makes no sense on the backend, for this reason where one is known.
  case notApplicable(String?)
  /// The metric cannot be had, for this reason.
  case unsupported(String)
  /// Nobody measured it.
  case notMeasured

  /// Short enough for a table.
  package var word: String {
    switch self {
    case .failed: "failed"
    case .notApplicable: "n/a"
    case .unsupported, .notMeasured: "—"
    }
  }

  /// The whole of it.
  package var reason: String {
    switch self {
    case .failed(let reason): "failed: \(reason)"
    case .notApplicable(let reason): "does not apply" + (reason.map { ": \($0)" } ?? "")
    case .unsupported(let reason): "is unsupported: \(reason)"
    case .notMeasured: "was not measured"
    }
  }
}

/// A figure of one backend in one column.
package struct CostFigure: Equatable, Sendable {
  /// The median of the blocks.
  package let value: Double
  /// The blocks, in run order.
  package let blocks: [Double]
  /// What a figure must reach to be told from what measuring costs or misses.
  package let least: Double
  /// Whether blocks cannot differ, so that there is nothing to be unsure of.
  package let isExact: Bool
  /// The 95 % interval of ``value``; nil of fewer than six blocks, and of what is exact.
  package let interval: Interval?
  /// Whether it is not the best of its column and its interval and the best's overlap: too close to
  /// call.
  package internal(set) var isClose = false

  /// The figure that multiples are taken of: what cannot be told from ``least`` counts as that.
  package var counted: Double { max(value, least) }

  /// Nil where there are no blocks.
  init?(blocks: [Double], least: Double, isExact: Bool) {
    guard let value = Statistics.median(blocks) else { return nil }
    self.value = value
    self.blocks = blocks
    self.least = least
    self.isExact = isExact
    interval = isExact ? nil : Statistics.medianInterval(of: blocks)
  }

  /// Whether it has too few blocks for an interval.
  package var hasFewBlocks: Bool { interval == nil && !isExact }

  /// How far it may be off, relative to itself, as 0.04 for ± 4 %; nil where there is no interval, and
  /// of 0.
  package var relativeWidth: Double? {
    guard value > 0 else { return nil }
    return interval.map { max($0.high - value, value - $0.low) / value }
  }

  func isClose(to other: CostFigure) -> Bool {
    guard let interval, let other = other.interval else { return false }
    return interval.overlaps(other)
  }
}

/// Finds the columns that a run has of one menu, and those that a weight is on.
struct ColumnFinder {
  /// The series of one workload at one durability.
  private struct Site {
    var workload: WorkloadInfo
    var durability: String
    var series: [Series]
  }

  private let sites: [Site]

  init(_ series: [Series], of record: RunRecord) {
    sites = series.filter(\.isJudged).grouped { [$0.cell.workload, $0.cell.durability] }.map {
      Site(workload: record.workload($0.key[0]), durability: $0.key[1], series: $0.elements)
    }
  }

  /// The deciding costs of every workload, in the run's order.
  var deciding: [CostColumn] { sites.flatMap(deciding) }

  /// The columns that a key stands for; none where nothing of it was measured.
  func columns(for key: CostKey) -> [CostColumn] {
    switch key {
    case .workload(let workload): sites(named: workload).flatMap(deciding)
    case .cost(let workload, let name):
      sites(named: workload).flatMap { deciding($0).filter { $0.name == name } }
    case .figure(let workload, let phase, let metric):
      sites(named: workload).compactMap { figure($0, phase, metric) }
    case .metric(let metric): whole(metric).map { [$0] } ?? []
    }
  }

  /// A metric of a whole pass: see ``CostKey/metric(_:)``.
  func whole(_ id: String) -> CostColumn? {
    let having = sites.filter { !figures($0, id).isEmpty }
    guard let site = having.first(where: saves) ?? having.first else { return nil }
    let series = figures(site, id)
    return column(site, id, series[0].metric, series.map(\.phase).distinct, reading(id))
  }

  private func saves(_ site: Site) -> Bool {
    site.workload.deciding(site.series.map(\.phase).distinct)
      .contains { $0.name == WorkloadInfo.Cost.save }
  }

  private func figures(_ site: Site, _ metric: String) -> [Series] {
    site.series.filter { $0.metric.id == metric && $0.blockMedians != nil }
  }

  private static let sizes: Set = [
    Metric.payloadBytes.id, Metric.peakHeapBytes.id, Metric.peakRSSBytes.id,
  ]

  private static let stored: Set = [Metric.storedBytes.id, Metric.storedPeakBytes.id]

  /// How a metric of a whole pass is read: sizes do not add up, and what is stored may grow.
  private func reading(_ id: String) -> CostColumn.Reading {
    if Self.stored.contains(id) { return .most }
    return Self.sizes.contains(id) ? .largest : .sum
  }

  private func sites(named workload: String) -> [Site] {
    let exact = sites.filter { $0.workload.id == workload }
    return exact.isEmpty
      ? sites.filter { WorkloadInfo.name(of: $0.workload.id) == workload } : exact
  }

  private func deciding(_ site: Site) -> [CostColumn] {
    let timed = figures(site, Metric.wall.id).map(\.phase).distinct
    return site.workload.deciding(timed).map {
      column(site, $0.name, .wall, $0.phases, .sum, needed: $0.needed)
    }
  }

  /// A metric of a phase. Of times only those of a phase that is a cost by itself: what another does
  /// in its time differs from backend to backend.
  private func figure(_ site: Site, _ phase: String, _ metric: String) -> CostColumn? {
    guard let series = figures(site, metric).first(where: { $0.phase == phase }) else { return nil }
    if series.metric.unit == .nanoseconds {
      guard deciding(site).contains(where: { $0.phases == [phase] }) else { return nil }
    }
    return column(
      site, metric == Metric.wall.id ? phase : "\(phase)/\(metric)", series.metric, [phase],
      Self.stored.contains(metric) ? .most : .sum)
  }

  private func column(
    _ site: Site, _ name: String, _ metric: Metric, _ phases: [String],
    _ reading: CostColumn.Reading, needed: [String]? = nil
  ) -> CostColumn {
    CostColumn(
      workload: site.workload.id, durability: site.durability, name: name, metric: metric,
      phases: phases, needed: needed ?? phases, reading: reading)
  }
}
