import Basics
import BenchResults

/// Decides which metrics of two runs may be compared, and what forbids the others.
package struct Comparability: Sendable {
  /// Differences of machines or methods that forbid comparing times and other inexact metrics, such
  /// as `cpu: A, baseline B`.
  package var machineDifferences: [String]
  /// Differences that shift counts of allocations, although exact metrics are compared.
  package var allocationDifferences: [String]
  /// Differences that change the meaning of instruction counts.
  package var instructionDifferences: [String]
  /// Why nothing may be compared: the runs were measured in different ways. Nil if they were not.
  package var methodDifference: String?
  /// The difference if one run was measured in one process and the other in fresh ones. It forbids
  /// comparing by default, or nil if both were measured alike.
  package var processDifference: String?
  /// The menus that have one name in both runs but different content.
  package var differentMenus: [String]

  package var comparesTimes: Bool { machineDifferences.isEmpty }

  /// Returns the first reason not to compare a metric, or nil if it may be compared.
  package func obstacle(to metric: Metric) -> String? {
    if metric.isExact || methodDifference != nil { return methodDifference }
    return metric.id == Metric.instructions.id
      ? instructionDifferences.first : machineDifferences.first
  }

  /// Finds the differences. For merged runs, finds all differences between any two machines that
  /// measured the same cell: if one time may not be compared, none is.
  ///
  /// - Parameter mixesProcesses: Whether runs measured in one process compare with runs measured in
  ///   fresh ones.
  package init(candidate: RunRecord, baseline: RunRecord, mixesProcesses: Bool = false) {
    let pairs = Self.pairs(candidate, baseline)
    self.init(ofOneMachine: pairs[0].0, baseline: pairs[0].1, mixesProcesses)
    for (new, old) in pairs.dropFirst() {
      let other = Comparability(ofOneMachine: new, baseline: old, mixesProcesses)
      machineDifferences = (machineDifferences + other.machineDifferences).distinct
      allocationDifferences = (allocationDifferences + other.allocationDifferences).distinct
      instructionDifferences = (instructionDifferences + other.instructionDifferences).distinct
      methodDifference = methodDifference ?? other.methodDifference
      processDifference = processDifference ?? other.processDifference
    }
    differentMenus = Self.differentMenus(candidate, baseline)
  }

  /// Pairs the machines that measured the same cells, each with its part of the run. Returns all
  /// pairs if no cell is in both runs.
  private static func pairs(
    _ candidate: RunRecord, _ baseline: RunRecord
  ) -> [(RunRecord, RunRecord)] {
    let all = candidate.byMachine.flatMap { new in baseline.byMachine.map { (new, $0) } }
    guard all.count > 1 else { return all }
    let common = all.filter { new, old in
      !Set(new.cells.map(\.cell)).isDisjoint(with: old.cells.map(\.cell))
    }
    return common.isEmpty ? all : common
  }

  private init(
    ofOneMachine candidate: RunRecord, baseline: RunRecord, _ mixesProcesses: Bool
  ) {
    let (new, old) = (candidate.machine, baseline.machine)
    let methods = (candidate.tool.method, baseline.tool.method)
    processDifference =
      Self.difference(
        "processes", candidate.settings.processes, baseline.settings.processes
      ).first
    methodDifference =
      methods.0 == methods.1
      ? mixesProcesses ? nil : processDifference
      : "method of measuring: \(methods.0), baseline \(methods.1)"
    let environment = Self.environmentDifferences(new.environment, old.environment)
    let toolchain =
      Self.difference("swift", new.swift, old.swift)
      + Self.difference("build", new.build, old.build)
    let allocator = Self.difference("allocator", new.allocator, old.allocator)
    machineDifferences =
      (methodDifference.map { [$0] } ?? []) + Self.difference("cpu", new.cpu, old.cpu)
      + Self.featureDifference(new.cpuFlags, old.cpuFlags)
      + Self.difference("cores", new.cores.map(String.init), old.cores.map(String.init))
      + Self.difference("system", new.system, old.system)
      + (new.kernel == nil || old.kernel == nil
        ? [] : Self.difference("kernel", new.kernel, old.kernel))
    machineDifferences +=
      Self.difference("file system", candidate.settings.fileSystem, baseline.settings.fileSystem)
      + toolchain + environment + allocator + Self.clockDifference(new, old)
    allocationDifferences =
      toolchain + environment + Self.countingDifference(new, old)
      + Self.difference("sqlite", new.sqlite, old.sqlite)
    // Counters count different things, and libraries choose code by the processor's features.
    instructionDifferences =
      Self.difference("counter", new.instructionCounter, old.instructionCounter) + toolchain
      + Self.knownFeatureDifference(new.cpuFlags, old.cpuFlags) + allocator + environment
    differentMenus = []
  }

  /// Returns one line, or none if both sides are equal.
  private static func difference(_ what: String, _ new: String?, _ old: String?) -> [String] {
    new == old ? [] : ["\(what): \(new ?? "unknown"), baseline \(old ?? "unknown")"]
  }

  /// Returns a line if the clock of one side ticks ten times as coarsely. An unknown tick is not a difference.
  private static func clockDifference(_ new: Machine, _ old: Machine) -> [String] {
    guard let new = new.clockResolution, let old = old.clockResolution,
      max(new, old) >= 10 * min(new, old)
    else { return [] }
    return difference("clock", Wording.time(new), Wording.time(old))
  }

  /// Returns nothing if a side counted no allocations.
  private static func countingDifference(_ new: Machine, _ old: Machine) -> [String] {
    guard let new = new.countingAllocator, let old = old.countingAllocator else { return [] }
    return difference("counting allocator", new, old)
  }

  /// Returns a line for each variable that changes measurements. An environment that only one side
  /// recorded is a difference by itself.
  private static func environmentDifferences(
    _ new: [String: String]?, _ old: [String: String]?
  ) -> [String] {
    guard let new, let old else {
      return new == old ? [] : ["environment: known on one side only"]
    }
    return Set(new.keys).union(old.keys).sorted().flatMap {
      difference($0, new[$0] ?? "unset", old[$0] ?? "unset")
    }
  }

  /// Returns the processor features that only one side has, since libraries choose code by them. An
  /// unknown set is not a difference.
  private static func featureDifference(_ new: [String]?, _ old: [String]?) -> [String] {
    guard let new = new.map(Set.init), let old = old.map(Set.init), new != old else { return [] }
    let sides = [("only here", new.subtracting(old)), ("only baseline", old.subtracting(new))]
    let texts = sides.filter { !$0.1.isEmpty }.map { "\($0.0) \(Wording.list($0.1.sorted()))" }
    return ["cpu features: \(texts.joined(separator: ", "))"]
  }

  /// Does the same, but a set that only one side recorded is a difference as well.
  private static func knownFeatureDifference(_ new: [String]?, _ old: [String]?) -> [String] {
    guard (new == nil) != (old == nil) else { return featureDifference(new, old) }
    return ["cpu features: \(new == nil ? "here" : "baseline") unknown"]
  }

  private static func differentMenus(_ candidate: RunRecord, _ baseline: RunRecord) -> [String] {
    let (new, old) = (candidate.fingerprints, baseline.fingerprints)
    return Set(candidate.cells.map(\.cell.menu)).intersection(baseline.cells.map(\.cell.menu))
      .filter { new[$0] == nil || new[$0] != old[$0] }.sorted()
  }
}

extension Settings {
  fileprivate var processes: String { oneProcess == true ? "one for all" : "a fresh one per block" }
}

extension RunRecord {
  /// Differences between the machines of a merged run: for each shard, the first earlier shard that
  /// it differs from. Rankings, ratios and curves never span such machines. Empty if all are alike.
  package var unlikeShards: [String] {
    let parts = byMachine
    return parts.indices.compactMap { index in
      // Compares with every earlier shard: two that differ may both match one with fewer known details.
      parts[..<index].lazy.compactMap { Self.difference(of: parts[index], from: $0) }.first
    }
  }

  private static func difference(of part: RunRecord, from other: RunRecord) -> String? {
    let found = Comparability(candidate: part, baseline: other).machineDifferences
    guard !found.isEmpty else { return nil }
    return "\(part.shardName) differs from \(other.shardName) in "
      + found.joined(separator: "; ").replacing("baseline", with: other.shardName)
  }

  /// The menus' fingerprints by name; the first one if a name occurs several times.
  package var fingerprints: [String: String] {
    Dictionary(menus.map { ($0.name, $0.fingerprint) }) { first, _ in first }
  }
}
