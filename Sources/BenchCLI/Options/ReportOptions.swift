import ArgumentParser
import BenchAnalysis
import BenchReports
import BenchResults

/// How a run is shown, by `run` and `report` alike.
struct ReportOptions: ParsableArguments {
  @Option(help: "table, csv, markdown, json or another of bench list formats.")
  var format = "table"

  @Option(help: "A run to compare with: a name in Reports/baselines, or a run.json.")
  var baseline: String?

  init() {}

  init(format: String) {
    self.format = format
  }

  /// The reporter of the format chosen.
  ///
  /// - Throws: a ``CLIError`` when there is none of that name.
  func reporter() throws -> any Reporter {
    guard let reporter = ReporterRegistry.all.first(where: { $0.id == format }) else {
      throw ValidNames(kind: "format", ids: ReporterRegistry.all.map(\.id)).unknown(format)
    }
    return reporter
  }

  /// Writes a record to standard output.
  ///
  /// - Throws: a ``CLIError`` of status `regression` after the report, where something is worse.
  func show(_ record: RunRecord, against baseline: RunRecord?) throws {
    let reporter = try reporter()
    let report = Report(record: record, baseline: baseline)
    try Console.output(try reporter.render(report))
    try report.judge()
  }
}

extension Report {
  /// Says nothing where nothing became worse.
  ///
  /// - Throws: a ``CLIError`` of status `regression` that counts what did, of `unmeasured` where a phase
  ///   is below its floor, or of `noBaseline` where the baseline has no figure to compare with:
  ///   comparing with nothing must not look like a pass.
  func judge() throws {
    let outcome = outcome(.shown)
    guard let status = ExitStatus(outcome) else { return }
    switch outcome {
    case .regressed(let worse):
      throw CLIError(
        "\(Wording.plural(worse.count, "figure")) became worse than the baseline",
        help: "see the rows marked regressed", status: status)
    case .belowFloor(let rows): throw CLIError(belowFloor: rows)
    default:
      throw CLIError(
        "the baseline has no figure in common with this run",
        help: "compare runs of the same backends, menus, durability and metrics", status: status)
    }
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
