import BenchAnalysis
import BenchResults

/// What a gate's report comes to: the exit status, and one line that says why.
struct GateVerdict {
  private let report: Report
  private let strictness: GateStrictness

  init(_ report: Report, _ strictness: GateStrictness) {
    self.report = report
    self.strictness = strictness
  }

  /// Says in one line that nothing regressed.
  ///
  /// - Throws: a ``CLIError`` of the status that the report comes to, the gravest first.
  func enforce() throws {
    try refuseRegressions()
    try refuseGaps()
    try refuseNothing()
    try refuseDoubts()
    Console.note("nothing regressed in \(Wording.plural(judged, "row"))")
  }

  private func refuseRegressions() throws {
    let worse = report.regressions
    guard let worst = worse.first else { return }
    throw CLIError(
      "\(Wording.plural(worse.count, "figure")) regressed; worst \(Self.words(worst))",
      help: "see the rows marked regressed, and gate.json for what it takes to explain them",
      status: .regression)
  }

  /// What could not be measured, or was there and is not now, has not passed.
  private func refuseGaps() throws {
    let failures = report.record.failures + failuresThen
    if let first = failures.first(where: { $0.stage != nil }) ?? failures.first {
      throw CLIError(
        "\(first.cell) could not be measured" + (first.stage.map { " in \($0)" } ?? "")
          + ": \(first.reason)", status: .unmeasured)
    }
    guard !strictness.allowMissing else { return }
    let missing = report.rows.filter { $0.verdict == .missing }
    guard let first = missing.first else {
      guard let gone = goneCells.first else { return }
      throw CLIError(
        "\(gone) of the baseline is missing now", help: "if that is meant: --allow-missing",
        status: .unmeasured)
    }
    throw CLIError(
      "\(Wording.plural(missing.count, "figure")) of the baseline "
        + "\(missing.count == 1 ? "is" : "are") missing now; first \(first.cell) \(first.phase) "
        + first.metric.id,
      help: "if that is meant: --allow-missing", status: .unmeasured)
  }

  /// Cells of a gate's other side that this one has not, whether or not anything was counted there.
  private var goneCells: [Cell] {
    guard report.record.pairing != nil else { return [] }
    let cells = Set(report.record.outcomes.map(\.cell))
    return (report.baseline?.outcomes ?? []).map(\.cell).filter { !cells.contains($0) }
  }

  /// A cell that is meant to be missing now need not have worked then.
  private var failuresThen: [Failure] {
    let failures = report.baseline?.failures ?? []
    guard strictness.allowMissing else { return failures }
    let cells = Set(report.record.outcomes.map(\.cell))
    return failures.filter { cells.contains($0.cell) }
  }

  private func refuseNothing() throws {
    guard judged == 0 else { return }
    let isNew = report.rows.contains { $0.verdict == .new }
    throw CLIError(
      "nothing could be compared" + (isNew ? ": every row is new" : ""),
      help: "compare the same backends, menus, durability and metrics", status: .noBaseline)
  }

  private func refuseDoubts() throws {
    guard strictness.strict else { return }
    let doubtful = report.rows.filter { $0.verdict?.isInconclusive ?? false }
    guard let first = doubtful.first else { return }
    throw CLIError(
      "\(Wording.plural(doubtful.count, "row")) inconclusive; first \(first.cell) \(first.phase) "
        + first.metric.id, help: "give more time with --budget, or a quieter machine",
      status: .inconclusive)
  }

  /// Rows on which the two were really compared.
  private var judged: Int {
    report.rows.count { row in
      switch row.verdict {
      case .regressed, .improved, .unchanged, .inconclusive: true
      case .new, .missing, nil: false
      }
    }
  }

  private static func words(_ row: ReportRow) -> String {
    let change = row.comparison.flatMap { Wording.change($0, row.metric) }.map { ": \($0)" } ?? ""
    return "\(row.cell) \(row.phase) \(row.metric.id)\(change)"
  }
}
