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
