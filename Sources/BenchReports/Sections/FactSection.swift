import Basics
import BenchAnalysis
import BenchResults

/// The machine and program of a measurement, what was compared, and the number of blocks.
struct FactSection {
  let report: Report

  private var record: RunRecord { report.record }
  private var isPaired: Bool { report.comparison?.isPaired == true }
  private var isTimed: Bool { record.cells.contains { $0.metric.isTime && !$0.blocks.isEmpty } }

  static let title = "Measurement details"

  var parts: [Part] { [.heading(Self.title), facts] }

  /// The machine, each backend, the meaning of each durability, the blocks, and why measuring
  /// stopped. For a comparison also what was compared.
  var facts: Part {
    let known = [isPaired ? pairs : blocks].compactMap(\.self)
    return .list(
      machines + [tool, tags].compactMap(\.self) + sides + backends + durabilities + known)
  }

  /// The machine of the run. Merged shards share a line if their machines have the same facts.
  private var machines: [String] {
    let shards = record.mergedShards
    guard !shards.isEmpty else {
      return ["machine: \(Self.facts(record.machine, record.settings))"]
    }
    return shards.grouped { shard in
      Self.facts(shard.machine ?? record.machine, shard.settings ?? record.settings)
    }.map { facts, alike in
      "machine of shard \(alike.map { "\($0.number)" }.joined(separator: ", ")): \(facts)"
    }
  }

  private static func facts(_ machine: Machine, _ settings: Settings) -> String {
    let facts = known([
      machine.cpu, machine.cores.map { Wording.plural($0, "core") },
      machine.memoryBytes.map { Wording.bytes(Double($0)) }, machine.system,
      machine.kernel.map { "kernel \($0)" },
      settings.fileSystem.map { "\($0) at \(settings.storage)" },
    ])
    return facts.isEmpty ? "unknown" : facts
  }

  private var tool: String {
    let machine = record.machine
    let facts = Self.known(
      [
        "\(record.tool.name) \(record.tool.version)", record.tool.revision,
        machine.swift.map { "Swift \($0)" }, machine.sqlite.map { "SQLite \($0)" },
        machine.allocator, machine.countingAllocator.map { "counting \($0)" },
        "\(machine.build) build",
      ] + (machine.environment?.assignments ?? []))
    return "program: \(facts); began \(record.settings.started)"
  }

  private var tags: String? {
    record.settings.tags.map { "tags: \($0.assignments.joined(separator: ", "))" }
  }

  /// The programs of both sides of a gate, or the program that measured a stored baseline.
  private var sides: [String] {
    guard let baseline = report.baseline, report.comparison != nil else { return [] }
    if isPaired {
      return [record, baseline].compactMap(\.pairing).map { pairing in
        let facts = Self.known([
          pairing.revision ?? "revision unknown", pairing.executable,
          pairing.injection.map { "injected: \($0)" },
        ])
        return "\(pairing.side.rawValue): \(facts)"
      }
    }
    let facts = Self.known([
      "\(baseline.tool.name) \(baseline.tool.version)",
      baseline.tool.revision ?? "revision unknown", baseline.machine.cpu,
      baseline.machine.swift.map { "Swift \($0)" }, "\(baseline.machine.build) build",
    ])
    return ["baseline: \(facts); measured \(baseline.settings.started)"]
  }

  private static func known(_ facts: [String?]) -> String {
    facts.compactMap { $0 }.joined(separator: ", ")
  }

  private var backends: [String] {
    let measured = Set(record.cells.map(\.cell.backend))
    return record.backends.filter { measured.contains($0.id) }.map {
      "backend \($0.id): \($0.summary)" + ($0.caveat.map { ". \($0)" } ?? "")
    }
  }

  private var durabilities: [String] {
    record.cells.map(\.cell.durability).distinct.map { durability in
      "durability \(durability): \(Self.durabilities[durability] ?? "not known to this program")"
    }
  }

  private static let durabilities = [
    "none": "no promise: a crash may leave half a menu",
    "atomic":
      "a crash or a power cut leaves the whole old or new menu, but may lose the last saves",
    "durable": "a crash or a power cut leaves the last saved menu",
  ]

  /// How many timed blocks there are, and why not more.
  private var blocks: String? {
    guard isTimed else { return nil }
    let processes =
      record.settings.oneProcess == true ? "all in one process" : "each a fresh process"
    return ends(of: record.outcomes, planned: "as many as you asked for").map {
      "blocks, \(processes): \($0)"
    }
  }

  /// Returns the blocks by reason: `6 to 12 in 3 cells, as many as asked for; 4 in 1 cell, interrupted`.
  private func ends(of outcomes: [Outcome], planned: String) -> String? {
    let stops = Dictionary(grouping: outcomes, by: \.stop)
    let budget = record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" }
    let words: [(stop: Outcome.Stop, reason: String)] = [
      (.narrow, narrow), (.blocks, planned), (.budget, "the budget\(budget ?? "") ended first"),
      (.interrupted, "interrupted"), (.failed, "failed"), (.running, "not finished"),
    ]
    let texts = words.compactMap { stop, reason in
      stops[stop].map { outcomes in
        let blocks = outcomes.map(\.timedBlocks)
        let range = [blocks.min() ?? 0, blocks.max() ?? 0].distinct.map { "\($0)" }
        return
          "\(range.joined(separator: " to ")) in \(Wording.plural(outcomes.count, "cell")), \(reason)"
      }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  private var narrow: String {
    let precision = record.settings.targetPrecision
    let rule = PrecisionRule(
      relativeHalfWidth: precision, emptySample: record.machine.emptySample)
    let aside = rule.leastAwaited.map { " (except phases under \(Wording.time($0)))" } ?? ""
    return "the median known to ±\(Wording.percent(precision)) or better\(aside)"
  }

  /// How many pairs of timed blocks the cells of a gate have, and why not more:
  /// `pairs of timed blocks, each block a fresh process, analysed after 12, 20, 36: 12 to 44 in 3 cells, …`.
  var pairs: String? {
    // Cells that were only counted have no pairs.
    let timed = record.outcomes.filter { $0.timedBlocks > 0 || $0.stop != .blocks }
    guard isTimed, let looks = record.pairing?.looks,
      let ends = ends(of: timed, planned: "as many as planned")
    else { return nil }
    let plan = looks.screening.map { "\($0)" }.joined(separator: ", ")
    return "pairs of timed blocks, each block a fresh process, analysed after \(plan): \(ends)"
  }
}

/// The names of both sides in a comparison's headline.
struct SideNames {
  let candidate: String
  let baseline: String

  /// Names the sides of a gate by revisions, or by executables if revisions are unknown or equal. A
  /// stored baseline is named by the time it was measured.
  init(_ candidate: RunRecord, _ baseline: RunRecord) {
    guard let now = candidate.pairing, let then = baseline.pairing, now.id == then.id else {
      self.candidate = candidate.tool.revision.map(Self.short) ?? "this run"
      let revision = baseline.tool.revision.map { " at \(Self.short($0))" } ?? ""
      self.baseline = "the run of \(baseline.settings.started)\(revision)"
      return
    }
    let added = now.injection.map { " with \($0) injected" } ?? ""
    let names = [now, then].map { $0.revision.map(Self.short) ?? Self.file($0.executable) }
    let isItself = now.executable == then.executable
    let isClear = isItself || names[0] != names[1]
    self.candidate = (isClear ? names[0] : now.executable) + added
    self.baseline = isItself ? "itself" : isClear ? names[1] : then.executable
  }

  /// Shortens a revision to enough digits to identify it.
  static func short(_ revision: String) -> String {
    let digits = revision.prefix { $0.isHexDigit }
    return String(digits.prefix(12)) + revision.dropFirst(digits.count)
  }

  /// Returns the file's name. A path such as `/proc/self/exe`, by which a process finds its own
  /// program, does not tell a reader which program that is.
  private static func file(_ path: String) -> String {
    guard !path.hasPrefix("/proc/") else { return "this program" }
    return path.split(separator: "/").last.map(String.init) ?? path
  }
}
