import Basics
import BenchResults

/// Finds the cost columns that a run has for one menu, and the columns that a weight applies to.
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

  /// Returns the column of a metric of a whole pass, see ``CostKey/metric(_:)``.
  func whole(_ id: String) -> CostColumn? {
    let having = sites.filter { !figures($0, id).isEmpty }
    return (having.first(where: saves) ?? having.first).flatMap { whole(id, $0) }
  }

  private func whole(_ id: String, _ site: Site) -> CostColumn? {
    let series = figures(site, id)
    guard let first = series.first else { return nil }
    let (all, reading, costs) = (series.map(\.phase).distinct, reading(id), site.workload.costs)
    // A sum leaves out what belongs to no cost, such as a checkpoint, which only some backends have.
    let ofCosts = reading == .sum ? all.filter(costs.flatMap(\.phases).contains) : []
    let phases = ofCosts.isEmpty ? all : ofCosts
    let optional = costs.flatMap { $0.ofSome ?? [] }
    return column(
      site, id, first.metric, phases, reading, needed: phases.filter { !optional.contains($0) })
  }

  /// The costs of one workload for which all needed phases were measured.
  func costs(of workload: String, _ durability: String) -> [CostColumn] {
    guard let site = site(workload, durability) else { return [] }
    let timed = figures(site, Metric.wall.id).map(\.phase).distinct
    return site.workload.measured(timed).map { column(site, $0) }
  }

  /// The stored bytes of one workload, or nil if they were not measured.
  func stored(of workload: String, _ durability: String) -> CostColumn? {
    site(workload, durability).flatMap { whole(Metric.storedBytes.id, $0) }
  }

  private func site(_ workload: String, _ durability: String) -> Site? {
    sites.first { $0.workload.id == workload && $0.durability == durability }
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

  /// How the phases' values of a metric are combined. Sizes do not add up, and stored files may grow.
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
    return site.workload.deciding(timed).map { column(site, $0) }
  }

  private func column(_ site: Site, _ cost: WorkloadInfo.Cost) -> CostColumn {
    column(site, cost.name, .wall, cost.phases, .sum, needed: cost.needed)
  }

  /// Returns the column of a metric of one phase. A time needs a phase that is a cost by itself,
  /// because other phases do different work in different backends.
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
      phases: phases, needed: needed ?? phases,
      saves: metric == .wall && phases.contains { isSave($0, site) }, reading: reading)
  }

  /// In records that do not name the phases that save, the floor of a write shows them.
  private func isSave(_ phase: String, _ site: Site) -> Bool {
    site.workload.saves?.contains(phase)
      ?? site.series.contains { $0.phase == phase && $0.floor == "floor-write" }
  }
}

extension WorkloadInfo {
  /// Returns the costs that decide among measured phases: those with all the phases that they need. If no
  /// measured phase is part of a cost, every phase decides by itself. A part of a cost decides nothing.
  package func deciding(_ phases: [String]) -> [Cost] {
    let isOfCosts = costs.contains { !Set($0.phases).isDisjoint(with: phases) }
    return isOfCosts ? measured(phases) : phases.map { Cost(name: $0, phases: [$0]) }
  }

  /// Returns the costs whose needed phases were all measured, reduced to the measured phases.
  func measured(_ phases: [String]) -> [Cost] {
    costs.filter { Set($0.needed).isSubset(of: phases) }
      .map { $0.with(\.phases, $0.phases.filter(phases.contains)) }
  }
}
