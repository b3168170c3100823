import Basics
import BenchResults

extension Split {
  /// Splits what is planned by menu and workload: the dearest unit first, each to the shard that has the
  /// least to do so far. Whoever has the same plan and the same costs comes to the same split.
  ///
  /// The longest shard takes at most 4/3 of what it would in the best split: Graham, "Bounds on
  /// Multiprocessing Timing Anomalies", SIAM Journal on Applied Mathematics 17 (1969).
  ///
  /// - Parameters:
  ///   - cells: the whole suite, in its order.
  ///   - count: how many shards, one at least; those that find no unit have nothing to do.
  ///   - costs: about how long each cell takes, in any unit of time; one that has none here takes as long
  ///     as the mean one. Where there are none at all, all cells take equally long.
  package init(
    _ cells: [PlannedCell], into count: Int, costs: [Cell: Double] = [:],
    metrics: Set<String>? = nil
  ) {
    // Sorted: sums of other orders may differ in their last digit, and so decide a tie otherwise.
    let mean = costs.isEmpty ? 1 : costs.values.sorted().reduce(0, +) / Double(costs.count)
    let units = cells.grouped { [$0.cell.menu, $0.cell.workload] }
    let times = units.map { unit in
      unit.elements.reduce(0.0) { $0 + ($1.refusal == nil ? costs[$1.cell] ?? mean : 0) }
    }
    let dearestFirst = units.indices.sorted { left, right in
      times[left] == times[right]
        ? units[left].key.lexicographicallyPrecedes(units[right].key) : times[left] > times[right]
    }
    var loads = [Double](repeating: 0, count: count)
    var shards = [Int](repeating: 1, count: units.count)
    for unit in dearestFirst {
      let idlest = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      loads[idlest] += times[unit]
      shards[unit] = idlest + 1
    }
    self.init(
      count: count,
      units: zip(units, shards).map { unit, shard in
        Unit(
          menu: unit.key[0], workload: unit.key[1],
          durabilities: unit.elements.map(\.cell.durability).distinct, shard: shard)
      })
    self.metrics = metrics?.sorted()
  }
}

extension RunRecord {
  /// How long each cell took, in nanoseconds; none of a run that did not note it.
  package var timesOfCells: [Cell: Double] {
    let noted = outcomes.compactMap { outcome in
      outcome.seconds.map { (outcome.cell, $0 * 1e9) }
    }
    return Dictionary(noted, uniquingKeysWith: +)
  }
}
