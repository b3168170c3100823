import BenchAnalysis
import BenchResults

/// What was compared, and how many blocks the comparison rests on.
enum GateFacts {
  /// The programs of both sides of a gate, or what a stored baseline was measured by.
  static func sides(_ report: Report) -> [String] {
    guard let baseline = report.baseline, let comparison = report.comparison else { return [] }
    guard comparison.design == .paired else { return [stored(baseline)] }
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
    let isPaired = report.comparison?.design == .paired
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
