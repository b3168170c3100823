import BenchAnalysis
import BenchReports
import BenchResults

/// What a run comes to, by itself or against another, for every command that reports: the exit status, and
/// one line that says why.
struct RunVerdict {
  let report: Report

  /// Says in one line that nothing regressed, and of how many rows that was decided. A run without a
  /// baseline, measured just now or stored, passes in silence where all of it was measured.
  func enforce() throws {
    let outcome = report.outcome()
    if let status = ExitStatus(outcome) {
      if report.comparison == nil, case .unmeasured(let failure) = outcome {
        throw CLIError(unmeasured: failure, of: report.record)
      }
      throw CLIError(Self.reason(outcome), help: Self.help(outcome), status: status)
    }
    if report.comparison != nil { Console.note(Self.reason(outcome)) }
  }

  static func reason(_ outcome: ComparisonOutcome) -> String {
    guard case .passed(0, let open) = outcome, open > 0 else { return outcome.words }
    return "\(outcome.words); --strict of a gate makes that status "
      + "\(ExitStatus.inconclusive.rawValue)"
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
}

extension CLIError {
  /// Cells of a run by itself could not be measured: how many, and one of them; where none failed, that one has
  /// nothing of what was asked for.
  fileprivate init(unmeasured one: Failure, of record: RunRecord) {
    guard !record.failures.isEmpty else {
      self.init(
        "\(one.cell) \(one.reason)",
        help: "see bench doctor for what this machine can measure", status: .unmeasured)
      return
    }
    let cells = Set(record.outcomes.map(\.cell) + record.failures.map(\.cell))
    let reason = one.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.init(
      "\(record.failures.count) of \(cells.count) cells could not be measured; first "
        + "\(one.cell)" + (one.stage.map { " in \($0)" } ?? "") + ": \(reason)",
      status: .unmeasured)
  }

  /// Phases are faster than their floors allow: names the first, with both figures.
  init(belowFloor rows: [ReportRow]) {
    let phase = rows.first?.phase ?? "PHASE"
    self.init(
      ComparisonOutcome.belowFloor(rows).words,
      help: "find where the phase leaves work that it causes; where there is none, say why in the"
        + " backend's entry, belowFloor: [\"\(phase)\": \"does not touch the store\"]",
      status: .unmeasured)
  }
}
