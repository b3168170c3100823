import Basics
import BenchResults

/// Conclusions about a suite that was measured in shards.
extension Evidence {
  /// The missing parts of the suite, and machines that differ.
  var shards: [Conclusion] {
    guard let split = record.split else { return [] }
    guard !record.mergedShards.isEmpty else {
      return .hint(
        "this is \(record.shardName) of \(split.count): bench merge joins it with the others")
    }
    let lacking = record.lackOfShards.map { [Conclusion(.warning, $0)] } ?? []
    let unlike = record.unlikeShards
    return lacking + doubtsOfRevision
      + unlike.map { Conclusion(.warning, "no ranking across machines: \($0)") }
      + (unlike.isEmpty ? likeness : [])
  }

  /// The doubt that remains about machines that are alike in all that is known of them.
  private var likeness: [Conclusion] {
    let shards = record.mergedShards.count
    guard shards > 1 else { return [] }
    return .hint(
      "\(Wording.plural(shards, "shard")) ran on machines that look alike but may differ by a few"
        + " per cent, which affects growth along menus and scores over several workloads")
  }

  /// The doubt whether all shards come from one program, if no revision proves it.
  private var doubtsOfRevision: [Conclusion] {
    // A merge refuses programs with different checksums.
    guard record.mergedShards.count > 1, record.split?.program == nil else { return [] }
    guard !record.tool.isOfCleanRevision else { return [] }
    let reason = record.tool.revision.map { "\($0) has uncommitted changes" } ?? "no known revision"
    return .warning("it is unknown if all shards ran the same program: \(reason)")
  }

  /// Returns the prefix of a doubt about one part's machine, or empty if the run has one machine.
  func prefix(_ part: RunRecord) -> String {
    record.mergedShards.isEmpty ? "" : "\(part.shardName): "
  }
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

  /// The name of a run that is one shard.
  var shardName: String { "shard \(split?.shards.first?.number ?? 1)" }

  /// The part of the suite that a merged run lacks, in one line, or nil if it is complete.
  package var lackOfShards: String? {
    guard let split else { return nil }
    let missing = missingCells
    guard let first = missing.first else { return nil }
    let here = Set(split.shards.map(\.number))
    let shards = missing.compactMap { split.shard(of: $0) }.distinct.sorted().map { number in
      "shard \(number) of \(split.count) "
        + (here.contains(number) ? "did not finish" : "is missing")
    }
    let cells = Wording.plural(missing.count, "cell")
    return "\(shards.joined(separator: ", ")): \(cells) not measured, the first \(first)"
  }
}
