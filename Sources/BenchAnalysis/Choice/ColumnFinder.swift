import BenchResults

/// Finds the columns that a run has of one menu, and those that a weight is on.
struct ColumnFinder {
  private let series: [Series]
  private let sites: [Site]

  /// A workload at a durability.
  private struct Site: Hashable {
    var workload: String
    var durability: String
  }

  init(_ series: [Series]) {
    self.series = series.filter(\.isJudged)
    var seen: Set<Site> = []
    sites = self.series.map { Site(workload: $0.cell.workload, durability: $0.cell.durability) }
      .filter { seen.insert($0).inserted }
  }

  /// The deciding costs of every workload, in the run's order.
  var deciding: [CostColumn] { sites.flatMap(deciding) }

  /// The columns that a key stands for; none where nothing of it was measured.
  func columns(for key: CostKey) -> [CostColumn] {
    switch key {
    case .workload(let workload): sites(named: workload).flatMap(deciding)
    case .cost(let workload, let name):
      sites(named: workload).flatMap { site in
        let named = deciding(site).filter { $0.name == name }
        return named.isEmpty ? [figure(site, name, Metric.wall.id)].compactMap { $0 } : named
      }
    case .figure(let workload, let phase, let metric):
      sites(named: workload).compactMap { figure($0, phase, metric) }
    case .metric(let metric): whole(metric).map { [$0] } ?? []
    }
  }

  /// A metric of a whole pass: see ``CostKey/metric(_:)``.
  func whole(_ id: String) -> CostColumn? {
    let having = series.filter { $0.metric.id == id && $0.blockMedians != nil }
    let workload = (having.first { $0.cell.workload == "roundtrip" } ?? having.first)?.cell
    guard let cell = workload, let metric = having.first?.metric else { return nil }
    let here = having.filter {
      $0.cell.workload == cell.workload && $0.cell.durability == cell.durability
    }
    return CostColumn(
      workload: cell.workload, durability: cell.durability, name: id, metric: metric,
      phases: Self.each(here.map(\.phase)), reading: Self.reading(id))
  }

  private static let sizes: Set = [
    Metric.payloadBytes.id, Metric.peakHeapBytes.id, Metric.peakRSSBytes.id,
  ]

  /// How a metric of a whole pass is read: sizes do not add up, and what is stored may grow.
  private static func reading(_ id: String) -> CostColumn.Reading {
    if id == Metric.storedBytes.id { return .most }
    return sizes.contains(id) ? .largest : .sum
  }

  private func sites(named workload: String) -> [Site] {
    let exact = sites.filter { $0.workload == workload }
    return exact.isEmpty
      ? sites.filter { DecidingCost.name(of: $0.workload) == workload } : exact
  }

  private func deciding(_ site: Site) -> [CostColumn] {
    let timed = at(site).filter { $0.metric.id == Metric.wall.id && $0.blockMedians != nil }
    return DecidingCost.all(of: site.workload, phases: Self.each(timed.map(\.phase))).map { cost in
      CostColumn(
        workload: site.workload, durability: site.durability, name: cost.name, metric: .wall,
        phases: cost.phases, reading: .sum)
    }
  }

  private func figure(_ site: Site, _ phase: String, _ metric: String) -> CostColumn? {
    at(site).first { $0.phase == phase && $0.metric.id == metric && $0.blockMedians != nil }.map {
      CostColumn(
        workload: site.workload, durability: site.durability,
        name: metric == Metric.wall.id ? phase : "\(phase)/\(metric)", metric: $0.metric,
        phases: [phase], reading: metric == Metric.storedBytes.id ? .most : .sum)
    }
  }

  private func at(_ site: Site) -> [Series] {
    series.filter {
      $0.cell.workload == site.workload && $0.cell.durability == site.durability
    }
  }

  private static func each(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
