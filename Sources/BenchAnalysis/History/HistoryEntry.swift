import Basics
import BenchResults
import Foundation

/// A run as the history keeps it: the median, the interval and the number of blocks of each figure.
/// Raw samples stay in `run.json`.
package struct HistoryEntry: Sendable {
  package let run: HistoryRun
  /// The machine, the program and the settings behind all of the figures.
  package let context: HistoryContext
  package let rows: [Row]

  package struct Row: Equatable, Sendable {
    package let key: HistoryKey
    package let figure: HistoryFigure
  }
}

extension HistoryEntry {
  /// Returns the runs in a record: the record itself, or each shard of a merged record that has a
  /// figure. A shard is the same run whether its own record, a merged one or both are added.
  package static func all(_ record: RunRecord) -> [HistoryEntry] {
    record.byMachine.filter(\.hasFigures).map { part in
      var part = part
      // The tags of a merged record apply to each of its shards.
      part.settings.tags = (part.settings.tags ?? [:]).merging(record.settings.tags ?? [:]) { $1 }
      return HistoryEntry(part)
    }
  }

  /// Takes the figures of one machine. Leaves out figures below their floor, which cannot be true. Also
  /// leaves out menus that the record does not describe, because their figures cannot be compared.
  init(_ record: RunRecord) {
    run = HistoryRun(
      id: Self.id(of: record), began: record.settings.started,
      revision: record.pairing?.revision ?? record.tool.revision,
      tags: record.settings.tags ?? [:], side: record.pairing?.side)
    context = HistoryContext(record)
    rows = Self.rows(record)
  }

  /// Returns a checksum of when and how a run measured, its side of a gate and all values. A file
  /// that a newer program rewrites, or that gets a tag, is still the same run.
  private static func id(of record: RunRecord) -> String {
    let head =
      [
        record.settings.started, "\(record.settings.scheduleSeed)", "\(record.tool.method)",
      ] + (record.pairing.map { ["\($0.side)"] } ?? [])
    let cells = record.cells.map { series in
      let blocks = series.blocks.map { $0.map(\.description).joined(separator: " ") }
      let name = "\(series.cell)/\(series.phase)/\(series.metric.id) \(series.metric.unit.rawValue)"
      return ([name] + blocks).joined(separator: "\n")
    }
    return fnv1a((head + cells).joined(separator: "\u{0}").utf8).hexadecimal
  }

  private static func rows(_ record: RunRecord) -> [Row] {
    let (floors, fingerprints) = (FloorBound.all(record), record.fingerprints)
    return record.cells.compactMap { series in
      guard floors[series.key]?.isError != true, let content = fingerprints[series.cell.menu],
        let summary = Summary(series)
      else { return nil }
      return Row(
        key: HistoryKey(
          cell: series.cell, phase: series.phase, metric: series.metric, menu: content),
        figure: HistoryFigure(summary, of: series))
    }
  }
}

/// A run in the history, with what distinguishes it from other runs.
package struct HistoryRun: Hashable, Sendable {
  /// A checksum of the measurements, so that a run added twice is stored once.
  package let id: String
  /// The start time in UTC (ISO 8601), which orders runs if their commits do not.
  package let began: String
  /// The git revision of the measured code, or nil if unknown.
  package let revision: String?
  /// The tags that a user gave the run.
  package let tags: [String: String]
  /// The run's side of a gate, or nil for a run that was measured alone.
  package let side: Pairing.Side?

  package init(
    id: String, began: String, revision: String?, tags: [String: String] = [:],
    side: Pairing.Side? = nil
  ) {
    (self.id, self.began, self.revision, self.tags, self.side) = (id, began, revision, tags, side)
  }
}

/// A stored run with its context and its number of figures.
package struct StoredHistoryRun: Sendable {
  package let run: HistoryRun
  package let context: HistoryContext
  package let figures: Int

  package init(run: HistoryRun, context: HistoryContext, figures: Int) {
    (self.run, self.context, self.figures) = (run, context, figures)
  }
}

/// Identifies what a figure measures: two runs with the same key measured the same thing.
package struct HistoryKey: Hashable, Sendable {
  package let cell: Cell
  package let phase: String
  package let metric: Metric
  /// The checksum of the menu's content: another seed, or another file of the same name, is another menu.
  package let menu: String

  package init(cell: Cell, phase: String, metric: Metric, menu: String) {
    (self.cell, self.phase, self.metric, self.menu) = (cell, phase, metric, menu)
  }

  /// The name, such as `json/large/roundtrip/atomic/decode/wall`.
  package var name: String { "\(cell)/\(phase)/\(metric.id)" }

  package var ids: [String] {
    [cell.backend, cell.menu, cell.workload, cell.durability, phase, metric.id]
  }

  private var series: Series { Series(cell: cell, phase: phase, metric: metric) }

  /// Whether it is the backend's own work, not a floor or the control.
  package var isJudged: Bool { series.isJudged }
  /// Whether it is the time of the control's fixed work, which shows the machine's speed.
  package var isTimedControl: Bool { series.isTimedControl }

  /// Returns how far two figures may differ, as a natural logarithm, and still count as the same: a
  /// gate's tolerance. It is 0 for most exact metrics and at least 2 % for those that are not
  /// repeatable, such as times.
  ///
  /// - Parameter isExact: whether all runs of one program give the same figure.
  func floor(from value: Double, isExact: Bool) -> Double {
    let tolerance = Tolerances().of(
      Series.Key(cell: cell, phase: phase, metric: metric.id))
    let declared = tolerance?.logFloor(from: value) ?? 0
    return isExact ? declared : max(Judge.smallestEffect, declared)
  }
}

/// The summary of one run's values in a series.
package struct HistoryFigure: Equatable, Sendable {
  /// The median of the blocks' medians, in the metric's unit.
  package let p50: Double
  /// The 95 % confidence interval, or nil with too few blocks. An exact metric only has one if its
  /// blocks differ: from the smallest to the largest block median.
  package let interval: Interval?
  package let blocks: Int
  package let samples: Int

  package init(p50: Double, interval: Interval?, blocks: Int, samples: Int) {
    (self.p50, self.interval) = (p50, interval)
    (self.blocks, self.samples) = (blocks, samples)
  }

  init(_ summary: Summary, of series: Series) {
    self.init(
      p50: summary.p50,
      interval: series.disagrees ? Interval(of: series.blockMedians ?? []) : summary.interval,
      blocks: summary.blocks, samples: summary.samples)
  }
}

/// Everything that ``Comparability`` compares: the machine, the program and the settings of a run.
/// None of it changes from hour to hour, so runs with one machine and toolchain share a context.
package struct HistoryContext: Hashable, Codable, Sendable {
  /// The version of the measuring method, see `Tool`.
  package let method: Int
  package let oneProcess: Bool
  /// The side of a gate, whose programs take turns. Nil for a run measured alone, and absent from old facts.
  package let side: Pairing.Side?
  /// The file system of the stores, or nil if unknown.
  package let fileSystem: String?
  /// The properties of the machine that affect comparisons.
  package let machine: Machine

  package init(_ record: RunRecord) {
    let machine = record.machine
    method = record.tool.method
    oneProcess = record.settings.oneProcess == true
    side = record.pairing?.side
    fileSystem = record.settings.fileSystem
    self.machine = Machine(cpu: machine.cpu, cores: machine.cores, build: machine.build)
      .with(\.cpuFlags, machine.cpuFlags).with(\.system, machine.system)
      .with(\.kernel, machine.kernel)
      .with(\.swift, machine.swift).with(\.sqlite, machine.sqlite)
      .with(\.allocator, machine.allocator)
      .with(\.countingAllocator, machine.countingAllocator)
      .with(\.environment, machine.environment)
      .with(\.instructionCounter, machine.instructionCounter)
  }

  /// The context as JSON. Equal contexts have equal texts.
  package var facts: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  package init(facts: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(facts.utf8))
  }

  /// Returns the differences from an earlier context that start a new series for a kind of metric.
  ///
  /// They are those of a comparison of two runs, and two more. A toolchain or SQLite that shifts counts
  /// starts a new series, because later the shift would look like a change of the code. Times of a gate,
  /// whose programs take turns on one processor, form a series apart from times measured alone.
  func contextBreaks(after earlier: HistoryContext, _ kind: Kind) -> [String] {
    var (new, old) = (record, earlier.record)
    // Facts of an earlier program lack the kernel.
    if new.machine.kernel == nil { old.machine.kernel = nil }
    if old.machine.kernel == nil { new.machine.kernel = nil }
    let found = Comparability(candidate: new, baseline: old)
    let method = [found.methodDifference].compactMap { $0 }
    let differences =
      switch kind {
      case .exact: method + found.allocationDifferences
      case .instructions: method + found.instructionDifferences
      case .other where company == earlier.company: found.machineDifferences
      case .other:
        found.machineDifferences + ["measured: \(company), before \(earlier.company)"]
      }
    return differences.map { $0.replacing("baseline", with: "before") }
  }

  private var company: String { side == nil ? "alone" : "in turns with another program" }

  /// The metrics to which one rule of comparison applies.
  enum Kind: Hashable {
    case exact, instructions, other

    init(_ metric: Metric) {
      self =
        metric.isExact ? .exact : metric.id == Metric.instructions.id ? .instructions : .other
    }
  }

  /// A record with this context and without figures, for ``Comparability``.
  private var record: RunRecord {
    RunRecord(
      tool: Tool(name: "", version: "", revision: nil).with(\.method, method), machine: machine,
      settings: Settings(started: "", targetPrecision: 0, scheduleSeed: 0, storage: "")
        .with(\.fileSystem, fileSystem).with(\.oneProcess, oneProcess ? true : nil))
  }
}
