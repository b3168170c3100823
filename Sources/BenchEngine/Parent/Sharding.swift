import Basics
import BenchResults

extension Split {
  /// Splits a plan by menu and workload. The most expensive unit comes first, and each unit goes to the
  /// shard with the least work so far. The same plan and the same costs always give the same split.
  ///
  /// The longest shard takes at most 4/3 of its time in the best split: Graham, "Bounds on
  /// Multiprocessing Timing Anomalies", SIAM Journal on Applied Mathematics 17 (1969).
  ///
  /// - Parameters:
  ///   - cells: all cells of the suite, in order.
  ///   - count: the number of shards, at least one. Shards without a unit have nothing to do.
  ///   - costs: the approximate time of each cell, in any unit. A cell without a time counts as the
  ///     mean of the others. Without any times, all cells count the same.
  package init(
    _ cells: [PlannedCell], into count: Int, costs: [Cell: Double] = [:],
    metrics: Set<String>? = nil
  ) {
    // Sorted, because another order of the sum may differ in the last digit and break a tie differently.
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
  /// The time of each cell in nanoseconds, or empty if the run did not note it.
  package var timesOfCells: [Cell: Double] {
    let noted = outcomes.compactMap { outcome in
      outcome.seconds.map { (outcome.cell, $0 * 1e9) }
    }
    return Dictionary(noted, uniquingKeysWith: +)
  }
}
