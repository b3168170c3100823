/// How a suite is split among machines, and which shards a record holds.
///
/// A unit, one menu under one workload, is never split: one machine measures all its backends, so
/// that they can be ranked.
package struct Split: Hashable, Codable, Sendable {
  package var count: Int
  /// Every unit of the suite, in the suite's order.
  package var units: [Unit]
  /// The ids of the requested metrics, sorted, or nil for all.
  package var metrics: [String]?
  /// The shards in the record, by number: one in a run, several in a merged record.
  package var shards: [Shard]
  /// The checksum of the program that measured, or nil if unknown. It shows that shards are of one
  /// program if no clean revision does.
  package var program: String?

  package init(count: Int, units: [Unit], shards: [Shard] = []) {
    self.count = count
    self.units = units
    self.shards = shards
  }

  /// One menu under one workload, with the shard that measures it.
  package struct Unit: Hashable, Codable, Sendable {
    package var menu: String
    package var workload: String
    /// The durabilities at which it is measured, in order.
    package var durabilities: [String]
    /// The shard's number, counted from 1.
    package var shard: Int

    package init(menu: String, workload: String, durabilities: [String], shard: Int) {
      self.menu = menu
      self.workload = workload
      self.durabilities = durabilities
      self.shard = shard
    }
  }

  /// Returns the number of the shard that measures a cell, or nil if the suite has no such unit.
  package func shard(of cell: Cell) -> Int? {
    units.first { $0.menu == cell.menu && $0.workload == cell.workload }?.shard
  }
}

/// A part of a suite, measured by one machine.
package struct Shard: Hashable, Codable, Sendable, RecordPart {
  /// The shard's number, counted from 1.
  package var number: Int
  /// The machine that measured it, or nil if that is the record's own.
  package var machine: Machine?
  /// The settings it was measured with, or nil if those are the record's own.
  package var settings: Settings?

  package init(number: Int) { self.number = number }
}

extension RunRecord {
  /// The shards that were merged into the record, by number, or empty for a run on one machine.
  package var mergedShards: [Shard] { (split?.shards ?? []).filter { $0.machine != nil } }

  /// Returns the merged shard that measured a cell, or nil for a run on one machine.
  package func shard(of cell: Cell) -> Shard? {
    let number = split?.shard(of: cell)
    return mergedShards.first { $0.number == number }
  }

  package func machine(of cell: Cell) -> Machine { shard(of: cell)?.machine ?? machine }

  /// The record as each machine measured it: one part per merged shard, or the record itself.
  package var byMachine: [RunRecord] {
    let shards = mergedShards
    guard let split, !shards.isEmpty else { return [self] }
    let measured = Set(cells.map(\.cell) + outcomes.map(\.cell) + failures.map(\.cell))
    let cellsOfShards = Dictionary(grouping: measured) { split.shard(of: $0) }
    return shards.map { shard in
      let own = Set(cellsOfShards[shard.number] ?? [])
      var part = self
      part.machine = shard.machine ?? machine
      part.settings = shard.settings ?? settings
      part.split?.shards = [Shard(number: shard.number)]
      part.cells = cells.filter { own.contains($0.cell) }
      part.outcomes = outcomes.filter { own.contains($0.cell) }
      part.failures = failures.filter { own.contains($0.cell) }
      return part
    }
  }

  /// The suite's cells that were not measured to the end, in the suite's order. Their shards are
  /// absent or were interrupted. Empty for a run outside a suite.
  package var missingCells: [Cell] {
    guard let split else { return [] }
    let ended = Set(
      outcomes.filter { $0.stop != .interrupted && $0.stop != .running }.map(\.cell))
    return split.units.flatMap { unit in
      unit.durabilities.flatMap { durability in
        backends.map {
          Cell(backend: $0.id, menu: unit.menu, workload: unit.workload, durability: durability)
        }
      }
    }.filter { !ended.contains($0) }
  }
}
