import ArgumentParser
import BenchAnalysis
import BenchHarness
import BenchResults
import Foundation
import MenuModel

/// How far figures may move before they count as changed, as typed and from the configuration.
struct ToleranceOptions: ParsableArguments {
  @Option(help: "A file of tolerances (default: menubench.json in this folder, if there is one).")
  var config: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "How far rows may move: allocations=2, json/decode/wall=5%; repeatable.")
  var tolerance: [String] = []

  /// The rules of the file, then those typed: of several for a row, the last one holds.
  ///
  /// - Parameter rows: the rows that are to be judged. A rule for none of them is refused where it
  ///   was typed, and noted where it stands in the file, which serves other choices too.
  /// - Throws: a ``CLIError`` of status `usage` that names the place, the value and what is valid.
  func resolve<Document: BenchDocument>(
    in suite: Suite<Document>, rows: [Series.Key]
  ) throws -> Tolerances {
    let rules = ToleranceRules(suite)
    let entries = try configured() + tolerance.map(ToleranceEntry.init(typed:))
    return Tolerances(
      try entries.map { entry in
        let rule = try rules.rule(entry)
        try check(entry, meets: rows, by: rule)
        return rule
      })
  }

  private func configured() throws -> [ToleranceEntry] {
    if let config { return try GateConfiguration(path: config).tolerances }
    var status = stat()
    guard lstat(GateConfiguration.defaultPath, &status) == 0 else { return [] }
    return try GateConfiguration(path: GateConfiguration.defaultPath).tolerances
  }

  private func check(
    _ entry: ToleranceEntry, meets rows: [Series.Key], by rule: Tolerances.Rule
  ) throws {
    guard !rows.contains(where: rule.rows.matches) else { return }
    let message = "\(entry.place)'\(entry.key)' matches none of the rows chosen"
    guard entry.isTyped else { return Console.note("note: \(message)") }
    let cells = Set(rows.map(\.cell.description)).sorted()
    throw CLIError(
      message, help: "the cells chosen are \(Wording.list(cells, most: 8))", status: .usage)
  }
}

extension Selection.Chosen {
  /// Every row that measuring them can give: each metric of each phase of each cell.
  func rows(in suite: Suite<Document>) -> [Series.Key] {
    let metrics = Metric.all.map(\.id).filter { self.metrics?.contains($0) ?? true }
    return cells.map(\.cell).flatMap { cell in
      let phases = (try? suite.workload(cell.workload))?.phases ?? []
      return phases.flatMap { phase in
        metrics.map { Series.Key(cell: cell, phase: phase.id, metric: $0) }
      }
    }
  }
}
