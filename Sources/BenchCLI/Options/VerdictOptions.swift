import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults

/// What decides whether a run passes. Every command that judges a run has these options.
struct VerdictOptions: ParsableArguments {
  @Option(help: "A file of tolerances and limits (default: menubench.json here, if it exists).")
  var config: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "How far figures may move: allocations=2, json/save/wall=5%; repeatable.")
  var tolerance: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: "The most that figures may be: json/save/wall=16ms, stored_bytes=2MB; repeatable.")
  var limit: [String] = []

  @Flag(help: "Do not fail if cells or figures of the baseline are missing now.")
  var allowMissing = false

  @Flag(help: "Exit with 7 if a figure cannot be decided.")
  var strict = false

  /// Reads the rules of the file, then those typed. If several match a row, the last one applies.
  ///
  /// - Parameter rows: The run's rows. A typed rule that matches none is refused. In the file it is
  ///   only noted, since the file serves other selections too.
  func judgement<Document: BenchDocument>(
    in suite: Suite<Document>, of rows: [Series.Key]
  ) throws -> Judgement {
    let parser = RuleParser(suite)
    let file = try (config ?? Configuration.usualPath).map(Configuration.init(path:))
    let typed =
      try tolerance.map { try RuleEntry(.tolerance, typed: $0) }
      + limit.map { try RuleEntry(.limit, typed: $0) }
    var judgement = Judgement(
      rule: .comparison(allowsMissing: allowMissing, isStrict: strict))
    var unmatched: [String] = []
    for entry in (file?.entries ?? []) + typed {
      let selector = try parser.add(entry, to: &judgement)
      let own = rows.filter(selector.matches)
      guard own.isEmpty || entry.kind == .tolerance else { continue }
      let costs = own.map { suite.cost(of: $0) }
      if let cost = costs.first ?? nil, !costs.contains(nil) {
        let message = "\(entry.place)'\(entry.key)' gets no verdict, since it is a part of \(cost)"
        guard !entry.isTyped else {
          throw CLIError(message, help: "give a tolerance for \(cost)", status: .usage)
        }
        Console.note("note: \(message)")
      }
      guard own.isEmpty else { continue }
      guard !entry.isTyped else { throw Self.unmatched(entry, selector.metric, rows) }
      unmatched.append(entry.key)
    }
    if !unmatched.isEmpty {
      Console.note("note: this run has no row of \(Wording.list(unmatched)) in the configuration")
    }
    judgement.limits.rules.removeAll { !rows.contains(where: $0.rows.matches) }
    return judgement
  }

  private static func unmatched(
    _ entry: RuleEntry, _ metric: String, _ rows: [Series.Key]
  ) -> CLIError {
    let own = rows.filter { $0.metric == metric }.map { "\($0.cell) \($0.phase)" }
    let names = own.isEmpty ? rows.map(\.metric).distinct : own
    return CLIError(
      "\(entry.place)'\(entry.key)' matches none of this run's rows",
      help: (own.isEmpty ? "its metrics are " : "its rows with \(metric) are ")
        + Wording.list(names, most: 9), status: .usage)
  }
}

extension Suite {
  /// Returns the cost that judges a phase's time in its place, or nil if the row has a verdict of its own.
  fileprivate func cost(of row: Series.Key) -> String? {
    guard Metric.all.contains(where: { $0.id == row.metric && $0.isTime }) else { return nil }
    let costs = (try? workload(row.cell.workload))?.info.costs ?? []
    return costs.first { $0.phases.contains(row.phase) && !$0.phases.contains($0.name) }?.name
  }
}

/// The figures to compare.
enum GateTier: String, CaseIterable {
  case all, exact, time
}

extension Report {
  /// Reports a run, perhaps against a baseline.
  init(
    _ record: RunRecord, against baseline: RunRecord?, _ judgement: Judgement,
    _ reference: String? = nil
  ) {
    self.init(
      record: record, baseline: baseline, tolerances: judgement.tolerances,
      limits: judgement.limits, gatesTimes: judgement.gatesTimes,
      mixesProcesses: judgement.mixesProcesses, reference: reference)
    rule = judgement.rule
  }
}

extension ChosenCells {
  /// Every row that measuring these cells can give: each metric of each phase, and each time of each cost.
  var rows: [Series.Key] {
    let ids = Metric.all.map(\.id).filter { id in
      guard let metrics else { return true }
      return metrics.contains(id) || id == Metric.meanWall.id && metrics.contains(Metric.wall.id)
    }
    let times = [Metric.wall, .meanWall, .cpu].map(\.id).filter(ids.contains)
    return cells.map(\.cell).flatMap { cell -> [Series.Key] in
      let workload = workloads.first { $0.id == cell.workload }
      let phases = workload?.phases ?? []
      let costs = (workload?.costs ?? []).map(\.name).filter { !phases.contains($0) }
      return (phases.map { ($0, ids) } + costs.map { ($0, times) }).flatMap { phase, ids in
        ids.map { Series.Key(cell: cell, phase: phase, metric: $0) }
      }
    }
  }
}
