import Basics
import BenchResults

/// What to know of a suite that was measured in shards.
extension Evidence {
  /// What is not there, and where machines are unlike.
  var shards: [Conclusion] {
    guard let split = record.split else { return [] }
    guard !record.mergedShards.isEmpty else {
      return .hint(
        "\(record.shardName) of \(split.count) of a suite: bench merge joins it with the others")
    }
    let lacking = record.lackOfShards.map { [Conclusion(.warning, $0)] } ?? []
    let unlike = record.unlikeShards
    return lacking + doubtsOfRevision
      + unlike.map { Conclusion(.warning, "nothing ranks across machines: \($0)") }
      + (unlike.isEmpty ? likeness : [])
  }

  /// What is known of two machines may be alike where they are not.
  private var likeness: [Conclusion] {
    let shards = record.mergedShards.count
    guard shards > 1 else { return [] }
    return .hint(
      "\(Wording.plural(shards, "shard")) on machines alike in all that is known of them, which may"
        + " differ by some per cent all the same: growth along menus has that in it, and so has what"
        + " weighs several workloads")
  }

  /// Shards of which no revision says that they are of one program.
  private var doubtsOfRevision: [Conclusion] {
    // A merge refuses programs of different checksums.
    guard record.mergedShards.count > 1, record.split?.program == nil else { return [] }
    guard !record.tool.isOfCleanRevision else { return [] }
    let reason = record.tool.revision.map { "\($0) has changes of its own" } ?? "their revision is"
    return .warning("whether all shards are of one program is unknown: \(reason)")
  }

  /// What stands before a doubt about the machine of a part of the run; nothing where there is one machine.
  func prefix(_ part: RunRecord) -> String {
    record.mergedShards.isEmpty ? "" : "\(part.shardName): "
  }
}

extension RunRecord {
  /// What a run that is one shard is called.
  var shardName: String { "shard \(split?.shards.first?.number ?? 1)" }

  /// What of the suite is not in a merged run, in one line; nil where all of it is.
  package var lackOfShards: String? {
    guard let split else { return nil }
    let missing = missingCells
    guard let first = missing.first else { return nil }
    let here = Set(split.shards.map(\.number))
    let shards = missing.compactMap { split.shard(of: $0) }.distinct.sorted().map { number in
      "shard \(number) of \(split.count) " + (here.contains(number) ? "did not end" : "is missing")
    }
    let cells = Wording.plural(missing.count, "cell")
    return "\(shards.joined(separator: ", ")): \(cells) not measured, the first \(first)"
  }
}
