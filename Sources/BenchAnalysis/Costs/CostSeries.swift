import Basics
import BenchResults
import Foundation

/// The times of a record that are computed from its own: costs that are sums of phases, and means.
///
/// A cost has the name of its cost as phase, such as `save`. Its values are the sums of its phases, sample by sample.
/// A mean has one value a block, for blocks of at least three samples. It moves if some samples stall, while the
/// median may not.
package struct DerivedTimes: Sendable {
  package private(set) var series: [Series]
  /// The phases of each cost. The keys have no metric.
  private var phases: [Series.Key: [String]] = [:]

  /// The fewest samples for which the mean can differ from the median.
  private static let fewestOfMean = 3

  /// Returns the phases that a series is the sum of, or its own phase.
  func phases(of series: Series) -> [String] {
    phases[series.key.of(metric: "")] ?? [series.phase]
  }

  package init(_ record: RunRecord) {
    var (series, parts) = ([Series](), Set<Series.Key>())
    for (cell, own) in record.cells.grouped(by: \.cell) {
      let timed = own.filter { $0.metric.id == Metric.wall.id && $0.blockMedians != nil }
      let costs = record.workload(cell.workload).measured(timed.map(\.phase))
      // A cost named like one of its phases has no name left for its sum, so that phase stands for it.
      for cost in costs where !cost.phases.contains(cost.name) {
        let sums = [Metric.wall, .cpu].compactMap { Self.sum(cost, $0, own) }
        guard let wall = sums.first, wall.metric == .wall else { continue }
        phases[wall.key.of(metric: "")] = cost.phases
        series += sums + [Self.mean(wall)].compactMap(\.self)
        parts.formUnion(cost.phases.map { Series.Key(cell: cell, phase: $0, metric: "") })
      }
      series += timed.filter { wall in
        wall.isJudged && !parts.contains(wall.key.of(metric: ""))
          && !own.contains { $0.phase == wall.phase && $0.metric.id == Metric.meanWall.id }
      }.compactMap(Self.mean)
    }
    self.series = series
  }

  /// Leaves out the costs that another record sums up differently. Their phases then speak for themselves.
  func alike(_ other: DerivedTimes) -> DerivedTimes {
    var alike = self
    alike.phases = phases.filter { other.phases[$0.key] == $0.value }
    alike.series.removeAll { series in
      let place = series.key.of(metric: "")
      return phases[place] != nil && alike.phases[place] == nil
    }
    return alike
  }

  /// Whether a cost has a phase as its part.
  func hasPart(_ key: Series.Key) -> Bool {
    phases.contains { $0.key.cell == key.cell && $0.value.contains(key.phase) }
  }

  private static func sum(
    _ cost: WorkloadInfo.Cost, _ metric: Metric, _ own: [Series]
  ) -> Series? {
    let phases = cost.phases.compactMap { phase in
      own.first { $0.phase == phase && $0.metric.id == metric.id && $0.blockMedians != nil }
    }
    guard phases.count == cost.phases.count, let first = phases.first,
      let blocks = CostColumn.summed(phases.map(\.blocks))
    else { return nil }
    return Series(cell: first.cell, phase: cost.name, metric: metric, blocks: blocks)
  }

  private static func mean(_ wall: Series) -> Series? {
    guard wall.blocks.allSatisfy({ $0.isEmpty || $0.count >= fewestOfMean }) else { return nil }
    return Series(
      cell: wall.cell, phase: wall.phase, metric: .meanWall,
      blocks: wall.blocks.map { Statistics.mean($0).map { [$0] } ?? [] }, batch: wall.batch)
  }
}

extension RunRecord {
  /// The judged rows of this run, and those of costs and means as if all their phases had figures.
  package var rowKeys: [Series.Key] {
    cells.filter(\.isJudged).flatMap { series -> [Series.Key] in
      let costs = workload(series.cell.workload).costs.filter {
        $0.phases.contains(series.phase) && !$0.phases.contains($0.name)
      }.map { Series.Key(cell: series.cell, phase: $0.name, metric: series.metric.id) }
      let means = (costs.isEmpty ? [series.key] : costs).map { $0.of(metric: Metric.meanWall.id) }
      return [series.key]
        + ([Metric.wall, .cpu].contains(series.metric) ? costs : [])
        + (series.metric == .wall ? means : [])
    }.distinct
  }
}

/// The times of two records that get verdicts, and which of them decides.
///
/// Costs are judged, the phases that add up to one explain it. Checkpoints are in the costs of saves, and a backend that
/// keeps nothing is no choice for a menu: both are shown. CPU time decides where both
/// sides are bound by the processor, because other programs hardly change it. Wall time and its mean are second looks.
struct JudgedTimes {
  private let candidate: RunRecord
  private let baseline: RunRecord
  private let derived: (candidate: DerivedTimes, baseline: DerivedTimes)
  /// The metric that decides each time. The keys have no metric.
  private var deciding: [Series.Key: String] = [:]

  /// - Parameter first: How many blocks tell whether a time is CPU bound, so that later ones do not change it.
  init(
    _ candidate: RunRecord, _ baseline: RunRecord,
    _ derived: (candidate: DerivedTimes, baseline: DerivedTimes), first: Int = .max
  ) {
    (self.candidate, self.baseline, self.derived) = (candidate, baseline, derived)
    let new = candidate.cells + derived.candidate.series
    let old = baseline.cells + derived.baseline.series
    let bound = Self.cpuBound(new, first, candidate)
      .intersection(Self.cpuBound(old, first, baseline))
    for series in new where Self.views.contains(series.metric.id) && !series.blocks.isEmpty {
      let (place, id) = (series.key.of(metric: ""), series.metric.id)
      let best = bound.contains(place) ? Metric.cpu.id : Metric.wall.id
      if id == best || deciding[place] == nil { deciding[place] = id }
    }
  }

  var decidingKeys: Set<Series.Key> { Set(deciding.map { $0.key.of(metric: $0.value) }) }

  /// The metrics that are views of one time.
  private static let views: Set = [Metric.wall.id, Metric.cpu.id, Metric.meanWall.id]

  /// Whether a time gets a verdict.
  func judges(_ series: Series) -> Bool {
    series.isJudged && !series.metric.isContext && !derived.candidate.hasPart(series.key)
      && !Series.checkpointPhases.contains(series.phase) && !isShown(series.cell)
  }

  /// Makes the views of each time agree. A second look does not call a slower time faster. More processor time is no
  /// regression if less time passes. And a time is not the same if a second look's whole interval lies beyond its limit.
  func agreeing(_ rows: [Series.Key: RowComparison]) -> [Series.Key: RowComparison] {
    var rows = rows
    for (place, id) in deciding {
      let key = place.of(metric: id)
      for other in Self.views.subtracting([id]).map(place.of) {
        guard let row = rows[key], let look = rows[other] else { continue }
        switch (row.verdict, look.verdict) {
        case (.regressed, .improved): rows[other]?.verdict = nil
        case (.improved, .regressed) where other.metric == Metric.cpu.id: rows[other]?.verdict = nil
        case (.unchanged, _):
          let most = max(look.threshold ?? 1, exp(Judge.smallestEffect))
          guard let own = row.interval, let interval = look.interval,
            interval.low > most || interval.high < 1 / most
          else { continue }
          rows[key]?.verdict = .inconclusive(.wide(upTo: max(own.high, interval.high)))
        default: continue
        }
      }
    }
    return rows
  }

  /// Whether both records say that a cell's backend keeps nothing. One record alone does not take a verdict away.
  func isShown(_ cell: Cell) -> Bool {
    [candidate, baseline].allSatisfy { $0.backend(cell.backend)?.survivesRestart == false }
  }

  /// Whether another metric of the same time decides. Such a second look only tells what it proves.
  func isSecondLook(_ key: Series.Key) -> Bool {
    Self.views.contains(key.metric) && deciding[key.of(metric: "")] != key.metric
  }

  /// The share of wall time from which on a phase is CPU bound. Above 1.1, several threads work.
  private static let bound = 0.9...1.1

  private static func cpuBound(
    _ series: [Series], _ first: Int, _ record: RunRecord
  ) -> Set<Series.Key> {
    let walls = series.filter { $0.metric.id == Metric.wall.id }.byKey
    return Set(
      series.filter { $0.metric.id == Metric.cpu.id }.compactMap { cpu in
        guard let wall = walls[cpu.key.of(metric: Metric.wall.id)] else { return nil }
        let shares = zip(cpu.blocks.prefix(first), wall.blocks.prefix(first)).flatMap {
          zip($0, $1).map { $0 / $1 }
        }
        // In the quietest quarter of the samples, hardly anything else had the processor.
        guard wall.blocks.map(\.count) == cpu.blocks.map(\.count),
          let share = Statistics.quantile(0.75, of: shares.filter(\.isFinite)),
          bound.contains(share),
          !record.machine(of: cpu.cell).isUnresolved(Summary(cpu)?.p50, cpu)
        else { return nil }
        return cpu.key.of(metric: "")
      })
  }
}

extension Series.Key {
  /// The same phase of the same cell, with another metric.
  package func of(metric: String) -> Series.Key {
    Series.Key(cell: cell, phase: phase, metric: metric)
  }
}
