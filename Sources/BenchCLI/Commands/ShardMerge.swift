import Basics
import BenchAnalysis
import BenchResults

extension RunRecord {
  /// Joins one or more shards of a suite, in any order. All shards together give the record of the
  /// whole suite, in its order. Each cell keeps the machine of its shard.
  ///
  /// Facts on which the machines agree hold for the whole. Others become unknown, so that a program
  /// that does not know shards compares no times.
  ///
  /// - Throws: `Refusal` if the runs are not shards of one suite, or if a shard is given twice.
  static func merging(
    _ named: [(name: String, record: RunRecord)]
  ) throws(Refusal) -> RunRecord {
    let parts = named.sorted { $0.record.firstNumber < $1.record.firstNumber }
    try check(parts)
    let records = parts.map(\.record)
    var merged = records[0]
    let units = merged.split?.units ?? []
    let programs = records.map(\.split?.program).distinct
    merged.split?.program = programs.count == 1 ? programs[0] : nil
    // Each shard keeps its own machine and settings.
    let shards = records.flatMap { record in
      (record.split?.shards ?? []).map {
        $0.with(\.machine, $0.machine ?? record.machine)
          .with(\.settings, $0.settings ?? record.settings)
      }
    }.sorted { $0.number < $1.number }
    // A shard without work says nothing about the machines of the others.
    let busy = shards.filter { shard in units.contains { $0.shard == shard.number } }
    merged.split?.shards = busy.isEmpty ? shards : busy
    merged.machine = .common(merged.mergedShards.compactMap(\.machine))
    merged.settings = .common(merged.mergedShards.compactMap(\.settings))
    merged.cells = inOrder(records.flatMap(\.cells), \.cell, of: units)
    merged.outcomes = inOrder(records.flatMap(\.outcomes), \.cell, of: units)
    merged.failures = inOrder(records.flatMap(\.failures), \.cell, of: units)
    merged.warnings = records.flatMap(\.warnings).distinct
    return merged
  }

  private var firstNumber: Int { split?.shards.first?.number ?? 0 }

  private static func inOrder<Value>(
    _ values: [Value], _ cell: KeyPath<Value, Cell>, of units: [Split.Unit]
  ) -> [Value] {
    let groups = Dictionary(grouping: values) {
      [$0[keyPath: cell].menu, $0[keyPath: cell].workload]
    }
    return units.flatMap { groups[[$0.menu, $0.workload]] ?? [] }
  }

  /// Refuses runs that are not shards of one suite, and shards that are given twice.
  private static func check(_ parts: [(name: String, record: RunRecord)]) throws(Refusal) {
    let first = parts[0]
    var names: [Int: String] = [:]
    for (name, record) in parts {
      guard let split = record.split, !split.shards.isEmpty else {
        throw Refusal(
          "\(name) is not a shard: it was measured as a whole",
          help: "measure shards with --shard 1/5, or everything in one run")
      }
      for (here, there) in zip(record.shared, first.record.shared) where here != there {
        throw Refusal(
          "\(first.name) and \(name) are not shards of one suite (\(here.what): "
            + "\(there.value) and \(here.value))",
          help: "measure every shard by the same program, with the same options and --costs")
      }
      let numbers = split.shards.map(\.number)
      let cells =
        record.outcomes.map(\.cell) + record.cells.map(\.cell) + record.failures.map(\.cell)
      for number in numbers {
        guard let other = names.updateValue(name, forKey: number) else { continue }
        let cell = cells.first { split.shard(of: $0) == number }
        throw Refusal(
          "\(other) and \(name) both hold shard \(number)"
            + (cell.map { ", and so \($0) twice" } ?? ""), help: "give one of them")
      }
      for cell in cells where !numbers.contains(split.shard(of: cell) ?? 0) {
        throw Refusal(
          "\(name) holds \(cell), which belongs to another shard",
          help: "give the run as bench wrote it")
      }
    }
  }

  /// The facts that all shards of a suite share, each with its name.
  private var shared: [(what: String, value: String)] {
    let units = split?.units ?? []
    func list(_ values: [String]) -> String { values.joined(separator: ", ") }
    var all = [
      (what: "program", value: "\(tool.name) \(tool.version)"),
      ("revision", tool.revision ?? "unknown"), ("method of measuring", "\(tool.method)"),
      ("build", machine.build),
      ("checksum of the program", tool.isOfCleanRevision ? "" : split?.program ?? "unknown"),
      ("blocks", settings.blocks.map(String.init) ?? "until it is precise"),
      ("precision", "\(settings.targetPrecision)"),
      ("metrics", split?.metrics.map(list) ?? "all"),
      ("number of shards", "\(split?.count ?? 0)"), ("backends", list(backends.map(\.id))),
      ("menus", list(menus.map(\.name))), ("workloads", list((workloads ?? []).map(\.id))),
      ("number of units", "\(units.count)"),
    ]
    all += menus.map { ("content of menu \($0.name)", $0.fingerprint) }
    // Durabilities come before the split, since other durabilities lead to another split.
    all += units.map {
      ("durability of \($0.menu) under \($0.workload)", list($0.durabilities))
    }
    return all + units.map { ("shard of \($0.menu) under \($0.workload)", "\($0.shard)") }
  }
}

extension RecordPart {
  /// Removes a fact that differs in other records.
  fileprivate mutating func forget<Value: Equatable>(
    _ fact: WritableKeyPath<Self, Value?>, unlessIn all: [Self]
  ) {
    let own = self[keyPath: fact]
    if all.contains(where: { $0[keyPath: fact] != own }) { self[keyPath: fact] = nil }
  }
}

extension Machine {
  /// Keeps the facts that machines have in common, and the worst of each measured value.
  fileprivate static func common(_ all: [Machine]) -> Machine {
    var common = all[0]
    for text in [
      \Machine.cpu, \.system, \.kernel, \.swift, \.sqlite, \.allocator, \.countingAllocator,
      \.instructionCounter,
    ] { common.forget(text, unlessIn: all) }
    common.forget(\.cpuFlags, unlessIn: all)
    common.forget(\.cores, unlessIn: all)
    common.forget(\.memoryBytes, unlessIn: all)
    common.forget(\.environment, unlessIn: all)
    for worst in [\Machine.loadAverage, \.clockResolution, \.emptySample, \.emptyCPUSample] {
      common[keyPath: worst] = all.compactMap { $0[keyPath: worst] }.max()
    }
    for machine in all { common.unsupported.merge(machine.unsupported) { first, _ in first } }
    return common
  }
}

extension Settings {
  fileprivate static func common(_ all: [Settings]) -> Settings {
    var common = all[0]
    let budgets = all.compactMap(\.budgetSeconds)
    common.started = all.map(\.started).min() ?? common.started
    common.budgetSeconds = budgets.count == all.count ? budgets.reduce(0, +) : nil
    common.storage = all.map(\.storage).distinct.joined(separator: ", ")
    common.forget(\.fileSystem, unlessIn: all)
    let tags = (common.tags ?? [:]).filter { name, text in
      all.allSatisfy { $0.tags?[name] == text }
    }
    common.tags = tags.isEmpty ? nil : tags
    return common
  }
}
