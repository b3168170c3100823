import BenchAnalysis
import BenchReports
import BenchResults

extension Report {
  /// Ends a reporting command according to its result. Throws an error with the exit status, or
  /// prints one line that says nothing regressed and how many rows decided that. A run without a
  /// baseline passes silently if all of it was measured.
  func enforce() throws {
    let outcome = outcome()
    if let status = ExitStatus(outcome) {
      if comparison == nil, case .unmeasured(let failure) = outcome {
        throw CLIError(unmeasured: failure, of: record)
      }
      throw CLIError(outcome.reason, help: outcome.help, status: status)
    }
    if comparison != nil { Console.note(outcome.reason) }
  }
}

extension ComparisonOutcome {
  var reason: String {
    guard case .passed(0, let open) = self, open > 0 else { return words }
    return "\(words) (with --strict, a gate ends with status \(ExitStatus.inconclusive.rawValue))"
  }

  fileprivate var help: String? {
    switch self {
    case .regressed: "see the rows marked regressed. After a gate, gate.json explains them"
    case .belowFloor(let rows): CLIError(belowFloor: rows).help
    case .missing, .gone: "if you intend that, add --allow-missing"
    case .otherMenus: "measure the baseline again, with the menu as it is now"
    case .nothingCompared: "compare the same backends, menus, durability and metrics"
    case .inconclusive: "give more time with --budget, or use a quieter machine"
    case .unmeasured, .passed: nil
    }
  }
}

extension CLIError {
  /// Counts the cells of a single run that could not be measured, and names one. If none failed,
  /// the named cell lacks all that was asked for.
  fileprivate init(unmeasured one: Failure, of record: RunRecord) {
    guard !record.failures.isEmpty else {
      self.init(
        "\(one.cell): \(one.reason)",
        help: "see bench doctor for what this machine can measure", status: .unmeasured)
      return
    }
    let cells = Set(record.outcomes.map(\.cell) + record.failures.map(\.cell))
    self.init(
      "\(record.failures.count) of \(cells.count) cells could not be measured. The first is "
        + "\(one.cell)" + (one.stage.map { " in \($0)" } ?? "") + ": \(one.reason)",
      status: .unmeasured)
  }

  /// Names the first phase that is faster than its floor allows, with both figures.
  init(belowFloor rows: [ReportRow]) {
    let phase = rows.first?.phase ?? "PHASE"
    self.init(
      ComparisonOutcome.belowFloor(rows).words,
      help: "find the work that the phase leaves to others. If there is none, say why in the"
        + " backend's entry, belowFloor: [\"\(phase)\": \"does not touch the store\"]",
      status: .unmeasured)
  }
}
