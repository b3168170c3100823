import Basics
import BenchResults
import Foundation

/// A run as its history keeps it: of every figure the middle, the interval and how many blocks that rests on. Raw
/// samples stay in `run.json`.
package struct HistoryEntry: Sendable {
  package let run: HistoryRun
  /// What all of it was measured on and by.
  package let context: HistoryContext
  package let rows: [Row]

  package struct Row: Equatable, Sendable {
    package let key: HistoryKey
    package let figure: HistoryFigure
  }
}

extension HistoryEntry {
  /// The runs that a record is made of: itself, or each shard of a merge that has a figure. A shard is the same run
  /// whether its own record is added, a merge that holds it, or both.
  package static func all(_ record: RunRecord) -> [HistoryEntry] {
    record.byMachine.filter(\.hasFigures).map { part in
      var part = part
      // Of a merge its own tags go for each of its shards.
      part.settings.tags = (part.settings.tags ?? [:]).merging(record.settings.tags ?? [:]) { $1 }
      return HistoryEntry(part)
    }
  }

  /// Takes what one machine measured. What is below its floor cannot be true, and of a menu that the run does not
  /// describe nobody knows what it may be set beside: neither is taken.
  init(_ record: RunRecord) {
    run = HistoryRun(
      id: Self.id(of: record), began: record.settings.started,
      revision: record.pairing?.revision ?? record.tool.revision,
      tags: record.settings.tags ?? [:], side: record.pairing?.side)
    context = HistoryContext(record)
    rows = Self.rows(record)
  }

  /// A checksum of when and what a run measured, on which side of a gate, and of every value. Of nothing else: a file
  /// that a newer program writes again, or that somebody adds a tag to, is the same run.
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

/// A run that is in the history, by what tells it from all others.
package struct HistoryRun: Hashable, Sendable {
  /// A checksum of what it measured: added twice, it is there once.
  package let id: String
  /// When it began, ISO 8601 in UTC: the order of the history.
  package let began: String
  /// The git revision of what was measured; nil if unknown.
  package let revision: String?
  /// What somebody called it by.
  package let tags: [String: String]
  /// Which side of a gate it is; nil of a run measured alone.
  package let side: Pairing.Side?

  package init(
    id: String, began: String, revision: String?, tags: [String: String] = [:],
    side: Pairing.Side? = nil
  ) {
    (self.id, self.began, self.revision, self.tags, self.side) = (id, began, revision, tags, side)
  }
}

/// A run beside what it was measured on and by, and how many figures the history has of it.
package struct StoredHistoryRun: Sendable {
  package let run: HistoryRun
  package let context: HistoryContext
  package let figures: Int

  package init(run: HistoryRun, context: HistoryContext, figures: Int) {
    (self.run, self.context, self.figures) = (run, context, figures)
  }
}

/// What a figure is of: two runs of one key measured the same thing.
package struct HistoryKey: Hashable, Sendable {
  package let cell: Cell
  package let phase: String
  package let metric: Metric
  /// The checksum of the menu's whole content: another seed, or another file of the same name, is another menu.
  package let menu: String

  package init(cell: Cell, phase: String, metric: Metric, menu: String) {
    (self.cell, self.phase, self.metric, self.menu) = (cell, phase, metric, menu)
  }

  /// What it is called: `json/large/roundtrip/atomic/decode/wall`.
  package var name: String { "\(cell)/\(phase)/\(metric.id)" }

  package var ids: [String] {
    [cell.backend, cell.menu, cell.workload, cell.durability, phase, metric.id]
  }

  private var series: Series { Series(cell: cell, phase: phase, metric: metric) }

  /// Whether it is the backend's own work, neither a floor nor the control.
  package var isJudged: Bool { series.isJudged }
  /// Whether it is the time of fixed work, by which the machine's moods are seen.
  package var isTimedControl: Bool { series.isTimedControl }

  /// How far, as a natural logarithm, a figure may go from another and still be the same: a gate's tolerance, which is
  /// nothing of most exact ones; 2 % at least of times, and of whatever two runs of one program do not give alike.
  ///
  /// - Parameter isUneven: whether it should be exact and blocks of one run differed.
  func floor(from value: Double, isUneven: Bool) -> Double {
    let tolerance = Tolerances().of(
      Series.Key(cell: cell, phase: phase, metric: metric.id))
    let declared = tolerance?.logFloor(from: value) ?? 0
    return metric.isHard && !isUneven ? declared : max(Judge.smallestEffect, declared)
  }
}

/// What one run's values of a series come to.
package struct HistoryFigure: Equatable, Sendable {
  /// The median of the blocks' medians, in the metric's unit.
  package let p50: Double
  /// Its 95 % interval; nil of too few blocks. Of an exact metric nil as well, unless its blocks differ: then it is
  /// from the least of them to the largest.
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

/// All that ``Comparability`` looks at: on what, by what and how a run was measured. Nothing in it drifts from hour to
/// hour, so that runs of one machine and toolchain share one.
package struct HistoryContext: Hashable, Codable, Sendable {
  /// How the program measures: see `Tool`.
  package let method: Int
  package let oneProcess: Bool
  /// Which side of a gate, whose programs took turns, it was; nil, and in no old facts, of a run measured alone.
  package let side: Pairing.Side?
  /// The file system of the stores; nil if unknown.
  package let fileSystem: String?
  /// The machine, as far as that matters.
  package let machine: Machine

  package init(_ record: RunRecord) {
    let machine = record.machine
    method = record.tool.method
    oneProcess = record.settings.oneProcess == true
    side = record.pairing?.side
    fileSystem = record.settings.fileSystem
    self.machine = Machine(cpu: machine.cpu, cores: machine.cores, build: machine.build)
      .with(\.cpuFlags, machine.cpuFlags).with(\.system, machine.system)
      .with(\.swift, machine.swift).with(\.sqlite, machine.sqlite)
      .with(\.allocator, machine.allocator)
      .with(\.countingAllocator, machine.countingAllocator)
      .with(\.environment, machine.environment)
      .with(\.instructionCounter, machine.instructionCounter)
  }

  /// What is in it, as JSON; equal ones have equal texts.
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

  /// What differs from an earlier one so that figures of a kind begin a series of their own; nothing where they go on.
  ///
  /// As runs are compared, and stricter in two things: counts that another toolchain or SQLite shifts are compared all
  /// the same between two runs, where a reader sees both; along a year they would be taken for changes of the code. And
  /// what a gate times, whose programs take turns on one processor, is another thing than what a run measures alone.
  func seams(after earlier: HistoryContext, _ kind: Kind) -> [String] {
    let found = Comparability(candidate: record, baseline: earlier.record)
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

  /// What compares by one rule.
  enum Kind: Hashable {
    case exact, instructions, other

    init(_ metric: Metric) {
      self =
        metric.isExact ? .exact : metric.id == Metric.instructions.id ? .instructions : .other
    }
  }

  /// A record of such a run, without any figure.
  private var record: RunRecord {
    RunRecord(
      tool: Tool(name: "", version: "", revision: nil).with(\.method, method), machine: machine,
      settings: Settings(started: "", targetPrecision: 0, scheduleSeed: 0, storage: "")
        .with(\.fileSystem, fileSystem).with(\.oneProcess, oneProcess ? true : nil))
  }
}
