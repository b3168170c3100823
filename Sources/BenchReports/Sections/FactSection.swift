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
    var seen: Set<String> = []
    return record.cells.map(\.cell.durability).filter { seen.insert($0).inserted }.map {
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
