import Basics
import BenchAnalysis
import BenchResults

/// Where and how it was measured.
enum FactSection {
  /// The machine, what each backend is, the meaning of each durability, the blocks and why
  /// measuring stopped; of a comparison also what was compared.
  static func parts(_ report: Report) -> [Part] {
    let record = report.record
    let blocks = report.isGate ? GateFacts.blocks(report) : [blocks(record)].compactMap { $0 }
    let lines =
      [machine(record), tool(record)] + GateFacts.sides(report) + backends(record)
      + durabilities(record) + blocks
    return [.heading("How it was measured"), .list(lines)]
  }

  private static func machine(_ record: RunRecord) -> String {
    let machine = record.machine
    let facts = [
      machine.cpu, machine.cores.map { Wording.plural($0, "core") },
      machine.memoryBytes.map { Wording.bytes(Double($0)) }, machine.system,
      machine.kernel.map { "kernel \($0)" },
      record.settings.fileSystem.map { "\($0) at \(record.settings.storage)" },
    ].compactMap { $0 }
    return "machine: \(facts.isEmpty ? "unknown" : facts.joined(separator: ", "))"
  }

  private static func tool(_ record: RunRecord) -> String {
    let machine = record.machine
    let facts = [
      "\(record.tool.name) \(record.tool.version)", record.tool.revision,
      machine.swift.map { "Swift \($0)" }, machine.sqlite.map { "SQLite \($0)" },
      machine.allocator, "\(machine.build) build",
    ].compactMap { $0 }
    return "program: \(facts.joined(separator: ", ")); began \(record.settings.started)"
  }

  private static func backends(_ record: RunRecord) -> [String] {
    let measured = Set(record.cells.map(\.cell.backend))
    return record.backends.filter { measured.contains($0.id) }.map {
      "backend \($0.id): \($0.summary)"
    }
  }

  private static func durabilities(_ record: RunRecord) -> [String] {
    record.cells.map(\.cell.durability).distinct.map {
      "durability \($0): \(meaning($0))"
    }
  }

  private static func meaning(_ durability: String) -> String {
    switch durability {
    case "none": "no flush and no atomic replace: a crash may leave half a menu"
    case "atomic": "a crash of the process leaves the old or the new menu, a power cut may not"
    case "durable": "a power cut leaves the old or the new menu: file and folder are flushed"
    default: "not known to this program"
    }
  }

  /// How many timed blocks there are, and why no more.
  static func blocks(_ record: RunRecord) -> String? {
    let stops = Dictionary(grouping: record.outcomes, by: \.stop)
    let order: [Outcome.Stop] = [.narrow, .blocks, .budget, .interrupted, .failed, .running]
    let texts = order.compactMap { stop in
      stops[stop].map { "\(counts($0)), \(reason(stop, record))" }
    }
    return texts.isEmpty ? nil : "blocks, each a fresh process: \(texts.joined(separator: "; "))"
  }

  /// `6 to 12 in 3 cells`.
  static func counts(_ outcomes: [Outcome]) -> String {
    let blocks = outcomes.map(\.timedBlocks)
    let (least, most) = (blocks.min() ?? 0, blocks.max() ?? 0)
    let range = least == most ? "\(least)" : "\(least) to \(most)"
    return "\(range) in \(Wording.plural(outcomes.count, "cell"))"
  }

  private static func reason(_ stop: Outcome.Stop, _ record: RunRecord) -> String {
    switch stop {
    case .narrow: narrow(record)
    case .blocks: "as many as asked for"
    case .budget:
      record.settings.budgetSeconds.map { "the budget of \(Wording.time($0 * 1e9)) ended first" }
        ?? "the budget ended first"
    case .interrupted: "interrupted"
    case .failed: "failed"
    case .notApplicable: "not applicable"
    case .running: "not finished"
    }
  }

  private static func narrow(_ record: RunRecord) -> String {
    let precision = record.settings.targetPrecision
    let rule = PrecisionRule(
      relativeHalfWidth: precision, emptySample: record.machine.emptySample)
    let aside = rule.leastAwaited.map { " (phases under \(Wording.time($0)) aside)" } ?? ""
    return "the median known to ±\(Wording.percent(precision)) or better\(aside)"
  }
}

/// What was compared, and how many blocks the comparison rests on.
enum GateFacts {
  /// The programs of both sides of a gate, or what a stored baseline was measured by.
  static func sides(_ report: Report) -> [String] {
    guard let baseline = report.baseline, let comparison = report.comparison else { return [] }
    guard comparison.isPaired else { return [stored(baseline)] }
    return [report.record, baseline].compactMap(\.pairing).map(side)
  }

  private static func side(_ pairing: Pairing) -> String {
    let facts = [
      pairing.revision ?? "revision unknown", pairing.executable,
      pairing.injection.map { "injected: \($0)" },
    ].compactMap { $0 }
    return "\(pairing.side.rawValue): \(facts.joined(separator: ", "))"
  }

  private static func stored(_ record: RunRecord) -> String {
    let facts = [
      "\(record.tool.name) \(record.tool.version)", record.tool.revision ?? "revision unknown",
      record.machine.cpu, record.machine.swift.map { "Swift \($0)" },
      "\(record.machine.build) build",
    ].compactMap { $0 }
    return "baseline: \(facts.joined(separator: ", ")); measured \(record.settings.started)"
  }

  /// How many blocks of counters and of times there are, why no more, and the seed of their order.
  static func blocks(_ report: Report) -> [String] {
    let isPaired = report.comparison?.isPaired == true
    let times = isPaired ? PairFacts.line(report) : FactSection.blocks(report.record)
    return [
      counters(report, of: isPaired ? "side and cell" : "cell"),
      report.hasTimes ? times : "times: not measured",
    ].compactMap { $0 }
      + ["order of blocks: drawn with the seed \(report.record.settings.scheduleSeed)"]
  }

  /// `counters, each block a fresh process: 2 of each side and cell, 1 more for instructions`.
  private static func counters(_ report: Report, of unit: String) -> String? {
    let series = report.record.cells
    let exact = most(series.filter(\.metric.isExact))
    let instructions = most(series.filter { $0.metric.id == Metric.instructions.id })
    let texts = [
      exact > 0 ? "\(exact) of each \(unit)" : nil,
      instructions > 0 ? "\(instructions) for instructions" : nil,
    ].compactMap { $0 }
    return texts.isEmpty
      ? nil : "counters, each block a fresh process: \(texts.joined(separator: ", "))"
  }

  private static func most(_ series: [Series]) -> Int { series.map(\.blocks.count).max() ?? 0 }
}

/// How many pairs of timed blocks the cells of a gate have, and why no more.
enum PairFacts {
  /// `pairs of timed blocks, looked at after 12, 20, 32: 12 in 3 cells, every row decided; …`.
  static func line(_ report: Report) -> String? {
    guard let looks = report.record.pairing?.looks else { return nil }
    let rows = Dictionary(grouping: report.rows.filter(\.metric.isTime), by: \.cell)
    let outcomes = report.record.outcomes
    let ends = outcomes.map { end($0, rows[$0.cell] ?? [], report) }
    let texts = ends.distinct.map { end in
      let cells = zip(outcomes, ends).filter { $0.1 == end }.map(\.0)
      return "\(FactSection.counts(cells)), \(end)"
    }
    guard !texts.isEmpty else { return nil }
    let plan = Wording.list(looks.screening.map { "\($0)" }, most: .max)
    return "pairs of timed blocks, each block a fresh process, looked at after \(plan):"
      + " \(texts.joined(separator: "; "))"
  }

  private static func end(_ outcome: Outcome, _ rows: [ReportRow], _ report: Report) -> String {
    switch outcome.stop {
    case .failed: return "failed"
    case .interrupted, .running: return "interrupted"
    case .budget where rows.contains(where: isOpen):
      let budget =
        report.record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" } ?? ""
      return "the budget\(budget) ended before the next look"
    case .budget, .blocks, .narrow, .notApplicable: break
    }
    let fresh = report.record.pairing?.looks.confirmation ?? 0
    if rows.contains(where: isSuspect) { return "the last \(fresh) of them to confirm a suspicion" }
    return rows.contains(where: isOpen) ? "the most that were planned" : "every row decided"
  }

  /// Whether more pairs could have decided it.
  private static func isOpen(_ row: ReportRow) -> Bool {
    switch row.verdict {
    case .inconclusive(.unconfirmed(_, let fresh, let need)): fresh < need
    case .inconclusive: true
    default: false
    }
  }

  private static func isSuspect(_ row: ReportRow) -> Bool {
    switch row.verdict {
    case .regressed, .improved, .inconclusive(.unconfirmed): true
    default: false
    }
  }
}

/// What the two sides of a comparison are called in its headline.
struct SideNames {
  let candidate: String
  let baseline: String

  /// The two of a gate by their revisions or, where these are unknown or the same, executables; a
  /// stored baseline by the time it was measured.
  init(_ candidate: RunRecord, _ baseline: RunRecord) {
    guard let now = candidate.pairing, let then = baseline.pairing, now.id == then.id else {
      self.candidate = candidate.tool.revision.map(Self.short) ?? "this run"
      let revision = baseline.tool.revision.map { " at \(Self.short($0))" } ?? ""
      self.baseline = "the run of \(baseline.settings.started)\(revision)"
      return
    }
    let added = now.injection.map { " with \($0) injected" } ?? ""
    let names = [now, then].map { $0.revision.map(Self.short) ?? Self.file($0.executable) }
    guard now.executable != then.executable else {
      self.candidate = names[0] + added
      self.baseline = "itself"
      return
    }
    let areDistinct = names[0] != names[1]
    self.candidate = (areDistinct ? names[0] : now.executable) + added
    self.baseline = areDistinct ? names[1] : then.executable
  }

  /// A revision with no more digits than tell it from others.
  static func short(_ revision: String) -> String {
    let digits = revision.prefix { $0.isHexDigit }
    return String(digits.prefix(12)) + revision.dropFirst(digits.count)
  }

  /// The file's name; a path such as `/proc/self/exe`, by which a process finds its own program, does
  /// not tell a reader which program that is.
  private static func file(_ path: String) -> String {
    guard !path.hasPrefix("/proc/") else { return "this program" }
    return path.split(separator: "/").last.map(String.init) ?? path
  }
}
