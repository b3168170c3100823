import BenchAnalysis

extension Report {
  /// Ends a reporting command according to its result. Throws an error with the exit status, or
  /// prints one line that says what was shown and by how many rows. A run without a baseline passes
  /// silently if all of it was measured.
  func enforce() throws {
    let outcome = outcome()
    if let status = ExitStatus(outcome) {
      throw CLIError(outcome.reason, help: outcome.help, status: status)
    }
    if comparison != nil { Console.note(outcome.reason) }
  }
}

extension ComparisonOutcome {
  var reason: String {
    guard case .passed(0, let open) = self, open > 0 else { return words }
    return "\(words) (with --strict, this ends with status \(ExitStatus.inconclusive.rawValue))"
  }

  fileprivate var help: String? {
    switch self {
    case .regressed: "bench profile --diff names the functions. After a gate, gate.json has them"
    case .overLimit: "make it cheaper, or raise the limit in menubench.json or with --limit"
    case .belowFloor(let rows):
      "find the work that the phase leaves to others. If there is none, say why in the backend's"
        + " entry, belowFloor: [\"\(rows.first?.phase ?? "PHASE")\": \"does not touch the store\"]"
    case .contradicted: "measure again with a bench of this version"
    case .missing, .gone: "if you intend that, add --allow-missing"
    case .otherMenus: "measure the baseline again, with the menu as it is now"
    case .timesNotCompared(let differences):
      "make these alike, as bench gate --against does: "
        + differences.map { String($0.prefix { $0 != ":" }) }.joined(separator: ", ")
        + ". --tier exact compares only counts"
    case .nothingCompared: "compare the same backends, menus, durability and metrics"
    case .inconclusive: "measure more blocks, or use a quieter machine"
    case .unmeasured: "bench doctor shows what this machine can measure"
    case .passed: nil
    }
  }
}
