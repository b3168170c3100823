import BenchAnalysis
import BenchReports
import BenchResults

/// What a run comes to against another, for every command that compares: the exit status, and one line
/// that says why.
struct RunVerdict {
  let report: Report

  /// Says in one line that nothing regressed, and of how many rows that was decided; nothing of a run
  /// without a baseline.
  ///
  /// - Throws: a ``CLIError`` of the status that the report comes to, the gravest first.
  func enforce() throws {
    let outcome = report.outcome()
    if let status = ExitStatus(outcome) {
      throw CLIError(Self.reason(outcome), help: Self.help(outcome), status: status)
    }
    if report.comparison != nil { Console.note(Self.reason(outcome)) }
  }

  private static func reason(_ outcome: ComparisonOutcome) -> String {
    switch outcome {
    case .regressed(let worse):
      return "\(Wording.plural(worse.count, "figure")) regressed"
        + (worse.first.map { "; worst \(words($0))" } ?? "")
    case .belowFloor(let rows): return CLIError(belowFloor: rows).message
    case .unmeasured(let failure):
      let stage = failure.stage.map { " in \($0)" } ?? ""
      return "\(failure.cell) could not be measured\(stage): \(failure.reason)"
    case .missing(let rows) where rows.contains { $0.summary != nil }:
      return "\(Wording.plural(rows.count, "figure")) could be measured on one side alone"
        + first(rows)
    case .missing(let rows):
      return "\(Wording.plural(rows.count, "figure")) of the baseline "
        + "\(rows.count == 1 ? "is" : "are") missing now" + first(rows)
    case .gone(let cell): return "\(cell) of the baseline is missing now"
    case .otherMenus(let menus):
      return "nothing of menu \(Wording.list(menus)) could be compared: the baseline's of that name"
        + " holds other content"
    case .nothingCompared(let hasNew):
      return "nothing could be compared" + (hasNew ? ": every row is new" : "")
    case .inconclusive(let rows):
      return "\(Wording.plural(rows.count, "row")) inconclusive" + first(rows)
    case .passed(0, let open) where open > 0:
      return "nothing could be decided: \(Wording.plural(open, "row")) inconclusive; --strict of a "
        + "gate makes that status \(ExitStatus.inconclusive.rawValue)"
    case .passed(let decided, let open):
      return "nothing regressed in \(Wording.plural(decided, "row"))"
        + (open > 0 ? "; \(open) more inconclusive" : "")
    }
  }

  private static func help(_ outcome: ComparisonOutcome) -> String? {
    switch outcome {
    case .regressed: "see the rows marked regressed; of a gate, gate.json has what explains them"
    case .belowFloor(let rows): CLIError(belowFloor: rows).help
    case .missing, .gone: "if that is meant: --allow-missing"
    case .otherMenus: "measure the baseline anew, of the menu as it is now"
    case .nothingCompared: "compare the same backends, menus, durability and metrics"
    case .inconclusive: "give more time with --budget, or a quieter machine"
    case .unmeasured, .passed: nil
    }
  }

  private static func first(_ rows: [ReportRow]) -> String {
    rows.first.map { "; first \($0.cell) \($0.phase) \($0.metric.id)" } ?? ""
  }

  private static func words(_ row: ReportRow) -> String {
    let change = row.comparison.flatMap { Wording.change($0, row.metric) }.map { ": \($0)" } ?? ""
    return "\(row.cell) \(row.phase) \(row.metric.id)\(change)"
  }
}

extension CLIError {
  /// Phases are faster than their floors allow: names the first, with both figures.
  init(belowFloor rows: [ReportRow]) {
    let first = rows.first.map { "; first \($0.cell) \($0.phase) \($0.besideFloor ?? "")" } ?? ""
    let phase = rows.first?.phase ?? "PHASE"
    self.init(
      "\(Wording.plural(rows.count, "time")) below \(FloorBound.least) of the floor, which cannot be"
        + " true\(first)",
      help: "find where the phase leaves work that it causes; where there is none, say why in the"
        + " backend's entry, belowFloor: [\"\(phase)\": \"does not touch the store\"]",
      status: .unmeasured)
  }
}
