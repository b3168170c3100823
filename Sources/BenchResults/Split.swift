import Basics

/// How a suite is split among machines, and which parts of it a record holds.
///
/// A unit, one menu under one workload, is never split: all backends are measured side by side there, so
/// that what is ranked was measured on one machine.
public struct Split: Hashable, Codable, Sendable {
  /// Into how many shards.
  public var count: Int
  /// Every unit of the suite, in its order.
  public var units: [Unit]
  /// The ids of the metrics asked for, sorted; nil of all.
  public var metrics: [String]?
  /// The shards that the record holds, by number: one of a run, several of a merge.
  public var shards: [Shard]
  /// The checksum of the program that measured, by which shards are known to be of one where no clean revision says it;
  /// nil if unknown.
  public var program: String?

  package init(
    count: Int, units: [Unit], metrics: [String]? = nil, shards: [Shard], program: String? = nil
  ) {
    self.count = count
    self.units = units
    self.metrics = metrics
    self.shards = shards
    self.program = program
  }

  /// A menu under a workload, with the shard that measures it.
  public struct Unit: Hashable, Codable, Sendable {
    /// The menu's name.
    public var menu: String
    /// The workload's id.
    public var workload: String
    /// The durabilities at which it is measured, in order.
    public var durabilities: [String]
    /// The shard's number, counted from 1.
    public var shard: Int

    package init(menu: String, workload: String, durabilities: [String], shard: Int) {
      self.menu = menu
      self.workload = workload
      self.durabilities = durabilities
      self.shard = shard
    }
  }

  /// The number of the shard that measures a cell; nil where the suite has no such unit.
  package func shard(of cell: Cell) -> Int? {
    units.first { $0.menu == cell.menu && $0.workload == cell.workload }?.shard
  }
}

/// A part of a suite, measured by one machine.
public struct Shard: Hashable, Codable, Sendable {
  /// Which of all it is, counted from 1.
  public var number: Int
  /// Where it was measured; nil where that is the record's own.
  public var machine: Machine?
  /// What was asked of it; nil where that is the record's own.
  public var settings: Settings?

  package init(number: Int, machine: Machine? = nil, settings: Settings? = nil) {
    self.number = number
    self.machine = machine
    self.settings = settings
  }
}

extension RunRecord {
  /// The shards that were merged into it, by number; none of a run on one machine.
  package var mergedShards: [Shard] { (split?.shards ?? []).filter { $0.machine != nil } }

  /// The merged shard that measured a cell; nil of a run on one machine.
  package func shard(of cell: Cell) -> Shard? {
    guard let split, let number = split.shard(of: cell) else { return nil }
    return split.shards.first { $0.number == number && $0.machine != nil }
  }

  package func machine(of cell: Cell) -> Machine { shard(of: cell)?.machine ?? machine }

  /// The record as each machine measured it: the part of each merged shard, or the record itself.
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

  /// The cells of the suite that nobody measured to the end, in its order: of shards that are not here,
  /// and of shards that were interrupted. None of a run that is no part of a suite.
  package var missingCells: [Cell] {
    guard let split else { return [] }
    let ended = Set(
      outcomes.filter { $0.stop != .interrupted && $0.stop != .running }.map(\.cell))
    let all = split.units.flatMap { unit in
      unit.durabilities.flatMap { durability in
        backends.map {
          Cell(
            backend: $0.id, menu: unit.menu, workload: unit.workload, durability: durability)
        }
      }
    }
    return all.filter { !ended.contains($0) }
  }
}

/// Why records cannot be merged.
package enum MergeRefusal: Error, Equatable {
  case noShard(String)
  /// The two are no shards of one suite: the first thing that differs, and what it is in either.
  case unlike(String, String, what: String, values: [String])
  /// Both hold the same shard, and with it the cell, if it has any.
  case twice(String, String, shard: Int, cell: Cell?)
  /// It holds a cell that is another shard's.
  case stray(String, Cell)
}

extension MergeRefusal: UserFacingError {
  package var message: String {
    switch self {
    case .noShard(let name): "\(name) is no shard: it was measured as a whole"
    case .unlike(let first, let other, let what, let values):
      "\(first) and \(other) are no shards of one suite; \(what): "
        + values.joined(separator: " and ")
    case .twice(let first, let other, let shard, let cell):
      "\(first) and \(other) both hold shard \(shard)"
        + (cell.map { ", and so \($0) twice" } ?? "")
    case .stray(let name, let cell): "\(name) holds \(cell), which is another shard's"
    }
  }

  package var help: String? {
    switch self {
    case .noShard:
      "measure shards with --shard 1/5, or all of it in one run"
    case .unlike:
      "measure every shard by the same program, with the same options and --costs"
    case .twice: "give one of them"
    case .stray: "give it as bench wrote it"
    }
  }
}

extension RunRecord {
  /// Joins shards of one suite, one at least, in whatever order they come: all of them together are the
  /// record of the whole suite, in its order, but that each cell has the machine of its shard.
  ///
  /// What the machines agree on stands for the whole; where they do not, it is unknown, so that a program
  /// that knows no shards compares no times either.
  ///
  /// - Throws: ``MergeRefusal``.
  package static func merging(
    _ named: [(name: String, record: RunRecord)]
  ) throws(MergeRefusal) -> RunRecord {
    let parts = named.sorted { $0.record.firstNumber < $1.record.firstNumber }
    try check(parts)
    let records = parts.map(\.record)
    var merged = records[0]
    let units = merged.split?.units ?? []
    let programs = records.map(\.split?.program).distinct
    merged.split?.program = programs.count == 1 ? programs[0] : nil
    let shards = records.flatMap(\.placedShards).sorted { $0.number < $1.number }
    // One that had nothing to do says nothing of the others' machines.
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

  /// The shards, each with its own machine and settings.
  private var placedShards: [Shard] {
    (split?.shards ?? []).map {
      Shard(
        number: $0.number, machine: $0.machine ?? machine, settings: $0.settings ?? settings)
    }
  }

  private static func inOrder<Value>(
    _ values: [Value], _ cell: KeyPath<Value, Cell>, of units: [Split.Unit]
  ) -> [Value] {
    let groups = Dictionary(grouping: values) {
      [$0[keyPath: cell].menu, $0[keyPath: cell].workload]
    }
    return units.flatMap { groups[[$0.menu, $0.workload]] ?? [] }
  }

  /// Refuses what are no shards of one suite, and what is there twice.
  private static func check(
    _ parts: [(name: String, record: RunRecord)]
  ) throws(MergeRefusal) {
    var names: [Int: String] = [:]
    for (name, record) in parts {
      guard let split = record.split, !split.shards.isEmpty else { throw .noShard(name) }
      try checkIsAlike(record, name, parts[0])
      let numbers = split.shards.map(\.number)
      let cells = record.outcomes.map(\.cell) + record.cells.map(\.cell)
      for number in numbers {
        if let other = names.updateValue(name, forKey: number) {
          let cell = cells.first { split.shard(of: $0) == number }
          throw .twice(other, name, shard: number, cell: cell)
        }
      }
      for cell in cells + record.failures.map(\.cell) {
        guard let number = split.shard(of: cell), numbers.contains(number) else {
          throw .stray(name, cell)
        }
      }
    }
  }

  private static func checkIsAlike(
    _ record: RunRecord, _ name: String, _ first: (name: String, record: RunRecord)
  ) throws(MergeRefusal) {
    for (here, there) in zip(record.shared, first.record.shared) where here != there {
      throw .unlike(first.name, name, what: here.what, values: [there.value, here.value])
    }
  }

  /// What all shards of a suite have in common, each with what it is called.
  private var shared: [(what: String, value: String)] {
    let units = split?.units ?? []
    func list(_ values: [String]) -> String { values.joined(separator: ", ") }
    let run: [(String, String)] = [
      ("program", "\(tool.name) \(tool.version)"), ("revision", tool.revision ?? "unknown"),
      ("method of measuring", "\(tool.method)"), ("build", machine.build),
      ("checksum of the program", tool.isOfCleanRevision ? "" : split?.program ?? "unknown"),
      ("blocks", settings.blocks.map(String.init) ?? "until it is precise"),
      ("precision", "\(settings.targetPrecision)"),
      ("metrics", split?.metrics.map(list) ?? "all"),
      ("number of shards", "\(split?.count ?? 0)"), ("backends", list(backends.map(\.id))),
      ("menus", list(menus.map(\.name))), ("workloads", list((workloads ?? []).map(\.id))),
      ("number of units", "\(units.count)"),
    ]
    let contents = menus.map { ("content of menu \($0.name)", $0.fingerprint) }
    // They stand before the split, which other ones make another.
    let durabilities = units.map {
      ("durability of \($0.menu) under \($0.workload)", list($0.durabilities))
    }
    let places = units.map { ("shard of \($0.menu) under \($0.workload)", "\($0.shard)") }
    return (run + contents + durabilities + places).map { (what: $0.0, value: $0.1) }
  }
}

extension Machine {
  /// What machines have in common; of what was measured, the worst that any has.
  fileprivate static func common(_ all: [Machine]) -> Machine {
    func same<Value: Equatable>(_ path: KeyPath<Machine, Value?>) -> Value? { agreed(all, path) }
    func most(_ path: KeyPath<Machine, Double?>) -> Double? {
      all.compactMap { $0[keyPath: path] }.max()
    }
    return Machine(
      cpu: same(\.cpu), cpuFlags: same(\.cpuFlags), cores: same(\.cores),
      memoryBytes: same(\.memoryBytes), system: same(\.system), kernel: same(\.kernel),
      swift: same(\.swift), sqlite: same(\.sqlite), allocator: same(\.allocator),
      countingAllocator: same(\.countingAllocator), environment: same(\.environment),
      instructionCounter: same(\.instructionCounter), build: all[0].build,
      loadAverage: most(\.loadAverage), clockResolution: most(\.clockResolution),
      emptySample: most(\.emptySample), emptyCPUSample: most(\.emptyCPUSample),
      unsupported: all.reduce(into: [:]) { reasons, machine in
        reasons.merge(machine.unsupported) { first, _ in first }
      })
  }
}

extension Settings {
  fileprivate static func common(_ all: [Settings]) -> Settings {
    var common = all[0]
    let budgets = all.compactMap(\.budgetSeconds)
    common.started = all.map(\.started).min() ?? common.started
    common.budgetSeconds = budgets.count == all.count ? budgets.reduce(0, +) : nil
    common.storage = all.map(\.storage).distinct.joined(separator: ", ")
    common.fileSystem = agreed(all, \.fileSystem)
    let tags = (common.tags ?? [:]).filter { name, text in
      all.allSatisfy { $0.tags?[name] == text }
    }
    common.tags = tags.isEmpty ? nil : tags
    return common
  }
}

/// The value that all have; nil where they differ.
private func agreed<Root, Value: Equatable>(
  _ all: [Root], _ path: KeyPath<Root, Value?>
) -> Value? {
  let values = all.map { $0[keyPath: path] }
  return values.allSatisfy { $0 == values[0] } ? values[0] : nil
}
